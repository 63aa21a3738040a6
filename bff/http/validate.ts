import { z } from 'zod';
import type { FieldFault } from '../contract/errors.ts';
import { isUuid } from '../contract/ids.ts';
import { maxLanguageTag, maxLength } from '../contract/limits.ts';
import { idempotencyHeader } from '../contract/paths.ts';
import type {
  CodeAnswer,
  CodeRequest,
  HandoffAnswer,
  HandoffConfirmation,
  IdentityProof,
} from '../contract/session.ts';
import { type NewMessage, type NewTicket, priorities, type ReadMark } from '../contract/tickets.ts';
import { AppError } from '../errors.ts';
import { readAddress } from '../session/address.ts';
import { canonical } from '../text/canonical.ts';
import { leavesRoom } from '../tickets/footer.ts';
import type { AppContext } from './context.ts';

/** Our own zod messages, which say what is wrong with a field. They are never sent. */
const required = 'required' satisfies FieldFault;
const tooLong = 'too_long' satisfies FieldFault;
const invalid = 'invalid' satisfies FieldFault;

/**
 * Canonical text of 1 to `max` UTF-16 units, as it came and as it is kept. Lone surrogates and what `refused` finds are
 * refused.
 */
const text = (max: number, refused: RegExp) =>
  z
    .string({ error: (issue) => (issue.input === undefined ? required : invalid) })
    .transform((value) => value.trim())
    .pipe(
      z
        .string()
        .refine((value) => value.isWellFormed() && !refused.test(value), invalid)
        .refine((value) => value.length <= max, tooLong)
        .transform(canonical)
        .pipe(
          z
            .string()
            .min(1, required)
            .refine((value) => value.length <= max, tooLong),
        ),
    );

/** Not every database can store NUL. */
const lines = (max: number) => text(max, /\0/);
const line = (max: number) => text(max, /[\p{Cc}\u2028\u2029]/u);

const email = line(maxLength.customer_email).transform(readAddress).pipe(z.string(invalid));

const pageUrl = line(maxLength.page_url).refine(
  (value) => /^https?:\/\//.test(value) && URL.canParse(value),
  invalid,
);

/** Optional fields of a form are often sent empty. */
const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' || value === null ? undefined : value), schema.optional());

export const newTicketSchema: z.ZodType<NewTicket> = z.object({
  subject: line(maxLength.subject),
  description: lines(maxLength.description).refine(leavesRoom, tooLong),
  customer_email: email,
  customer_name: optional(line(maxLength.customer_name)),
  priority: optional(z.enum(priorities, invalid)),
  // The customer can neither see nor correct the context, so an invalid one is dropped.
  context: z
    .object({ page_url: optional(pageUrl).catch(undefined) })
    .optional()
    .catch(undefined),
  notify: optional(z.boolean()).catch(undefined),
  // A mail in the wrong language is better than none.
  language: optional(z.string().max(maxLanguageTag)).catch(undefined),
  website: optional(z.string()).catch('unreadable'),
});

export const newMessageSchema: z.ZodType<NewMessage> = z.object({ body: lines(maxLength.body) });
export const readMarkSchema: z.ZodType<ReadMark> = z.object({
  message_id: z.string(invalid).min(1, invalid).max(200, invalid),
});

/** Any text is accepted here; the token check refuses bad ones. */
export const identityProofSchema: z.ZodType<IdentityProof> = z.object({ token: z.string(invalid) });
export const codeRequestSchema: z.ZodType<CodeRequest> = z.object({
  email,
  // A code in the wrong language is better than none.
  language: optional(z.string()).catch(undefined),
});
export const codeAnswerSchema: z.ZodType<CodeAnswer> = z.object({
  code: z
    .string(invalid)
    .transform((code) => code.replace(/\s/g, ''))
    .pipe(z.string().regex(/^\d{6}$/, invalid)),
});
export const handoffConfirmationSchema: z.ZodType<HandoffConfirmation> = z.object({
  number: z.string(invalid).regex(/^\d\d$/, invalid),
});
export const handoffAnswerSchema: z.ZodType<HandoffAnswer> = z.object({
  secret: z.string(invalid).max(100, invalid),
  device: z.string(invalid).refine(isUuid, invalid),
});

/**
 * The JSON body of a write, checked.
 * @throws {AppError} `invalid_request`, with the errors by field
 */
export async function readBody<T extends z.ZodType>(c: AppContext, schema: T): Promise<z.output<T>> {
  const raw = await c.req.text();
  let json: unknown;
  try {
    json = JSON.parse(raw);
  } catch {
    throw new AppError('invalid_request');
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.filter(({ path }) => typeof path[0] === 'string');
  throw new AppError('invalid_request', {
    // Of several errors of one field the first is used.
    fields: Object.fromEntries(issues.reverse().map(({ path, message }) => [path[0], asFault(message)])),
  });
}

const asFault = (message: string): FieldFault =>
  message === required || message === tooLong ? message : invalid;

/** @throws {AppError} `invalid_request` when the key is missing or no UUID */
export function readIdempotencyKey(c: AppContext): string {
  const key = c.req.header(idempotencyHeader) ?? '';
  if (!isUuid(key))
    throw new AppError('invalid_request', { fields: { [idempotencyHeader]: key ? invalid : required } });
  return key.toLowerCase();
}
