import { z } from 'zod';
import type { FieldFault } from '../../../shared/contract/errors.ts';
import type { FormAnswers } from '../../../shared/contract/form.ts';
import { isUuid } from '../../../shared/contract/ids.ts';
import { maxLanguageTag, maxLength, maxPageTitle } from '../../../shared/contract/limits.ts';
import { idempotencyHeader } from '../../../shared/contract/paths.ts';
import type {
  CodeAnswer,
  CodeRequest,
  HandoffAnswer,
  HandoffConfirmation,
  IdentityProof,
} from '../../../shared/contract/session.ts';
import { addressIn, digitsOf, isBlank } from '../../../shared/contract/typed.ts';
import {
  type NewMessage,
  type NewTicket,
  priorities,
  type ReadMark,
} from '../../../shared/contract/tickets.ts';
import { AppError } from '../errors.ts';
import { readAddress } from '../identity/address.ts';
import { attributesIn } from '../text/attributes.ts';
import { cut, oneLine } from '../text/canonical.ts';
import { invalid, line, lines, required, tooLong } from '../text/fields.ts';
import { leavesRoom } from '../tickets/footer.ts';
import type { AppContext } from './context.ts';

const typed = z.string({ error: (issue) => (issue.input === undefined ? required : invalid) });
const email = typed
  .transform(addressIn)
  .pipe(line(maxLength.customer_email))
  .transform(readAddress)
  .pipe(z.string(invalid));

const pageUrl = line(maxLength.page_url).refine(
  (value) => /^https?:\/\//.test(value) && URL.canParse(value),
  invalid,
);

const pageTitle = z.string().transform((title) => oneLine(cut(oneLine(title), maxPageTitle)) || undefined);

/** Browsers often send optional fields of a form empty. */
const isEmpty = (value: unknown) => value === null || (typeof value === 'string' && isBlank(value));
const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (isEmpty(value) ? undefined : value), schema.optional());

/** Only the shape is checked here; an extra checks the values. */
const formAnswers: z.ZodType<FormAnswers> = z.object({
  version: z.string(),
  topic: optional(z.string()),
  fields: z.record(z.string().regex(/^[a-z][a-z0-9-]*$/), z.union([z.string(), z.boolean()])).optional(),
  consent: z.boolean().optional(),
});

/** How many are taken is a setting of the extra. */
const fileIds = z.array(z.string(invalid).max(64, invalid), invalid).max(50, invalid);

export const newTicketSchema: z.ZodType<NewTicket> = z.object({
  subject: line(maxLength.subject),
  description: lines(maxLength.description).refine(leavesRoom, tooLong),
  customer_email: email,
  customer_name: optional(line(maxLength.customer_name)),
  priority: optional(z.enum(priorities, invalid)),
  // The customer can neither see nor correct the context, so what is invalid in it is dropped.
  context: z
    .object({
      page_url: optional(pageUrl).catch(undefined),
      page_title: optional(pageTitle).catch(undefined),
      attributes: z
        .unknown()
        .transform((given) => attributesIn(given).attributes)
        .optional(),
    })
    .optional()
    .catch(undefined),
  notify: optional(z.boolean()).catch(undefined),
  // A mail in the wrong language is better than none.
  language: optional(z.string().max(maxLanguageTag)).catch(undefined),
  website: optional(z.string()).catch('unreadable'),
  // A message is not refused because its answers cannot be read.
  form: optional(formAnswers).catch(undefined),
  files: optional(fileIds),
});

/** The use case refuses an empty text without files. */
export const newMessageSchema: z.ZodType<NewMessage> = z.object({
  body: lines(maxLength.body, 0),
  files: optional(fileIds),
});
export const readMarkSchema: z.ZodType<ReadMark> = z.object({
  message_id: z.string(invalid).min(1, invalid).max(200, invalid),
});

/** Any text is accepted here; the token check refuses bad ones. Sites that print a token end it with a line break. */
export const identityProofSchema: z.ZodType<IdentityProof> = z.object({ token: z.string(invalid).trim() });
export const codeRequestSchema: z.ZodType<CodeRequest> = z.object({
  email,
  // A code in the wrong language is better than none.
  language: optional(z.string()).catch(undefined),
});
export const codeAnswerSchema: z.ZodType<CodeAnswer> = z.object({
  code: z
    .string(invalid)
    .transform(digitsOf)
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
    // Only the first error of each field is answered.
    fields: Object.fromEntries(issues.reverse().map(({ path, message }) => [path[0], fieldError(message)])),
  });
}

const fieldError = (message: string): FieldFault =>
  message === required || message === tooLong ? message : invalid;

/** @throws {AppError} `invalid_request` when the key is missing or no UUID */
export function readIdempotencyKey(c: AppContext): string {
  const key = c.req.header(idempotencyHeader) ?? '';
  if (!isUuid(key))
    throw new AppError('invalid_request', { fields: { [idempotencyHeader]: key ? invalid : required } });
  return key.toLowerCase();
}
