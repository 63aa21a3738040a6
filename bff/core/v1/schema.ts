import { z } from 'zod';
import { isTicketId } from '../../../shared/contract/ids.ts';
import { cut } from '../text/canonical.ts';

/*
 * Lenient schemas for the ticket service's answers. Only indispensable fields are required. Other fields that are
 * missing or of another type become null or a default, and unknown fields are dropped.
 */

/** More than twice what v1 accepts, since agents may write by other ways. What follows is cut off. */
const maxText = 50_000;
const cutMark = '\n\n[…]';

const id = z.union([z.string().min(1).max(200), z.number().int().transform(String)]);
const text = z
  .string()
  .transform((value) => (value.length > maxText ? cut(value, maxText) + cutMark : value))
  .catch('');
const time = z
  .string()
  .transform((value) => {
    const date = new Date(value);
    return Number.isNaN(date.getTime()) ? null : date.toISOString();
  })
  .nullable()
  .catch(null);

const ticketFields = {
  // A ticket whose id no path can contain could not be requested again.
  id: id.refine(isTicketId),
  ticket_number: z.coerce.number().int().nullable().catch(null),
  subject: text,
  description: text,
  status: z.string().min(1).max(60).catch('open'),
  priority: z.string().max(60).nullable().catch(null),
  created_at: time,
  updated_at: time,
};

export const v1Ticket = z.object(ticketFields);
export type V1Ticket = z.infer<typeof v1Ticket>;

export const v1Message = z.object({
  id,
  /** Authors other than the customer are shown as agents. */
  author_type: z
    .string()
    .catch('agent')
    .transform((type) => (type.toLowerCase() === 'customer' ? 'customer' : 'agent')),
  body: text,
  created_at: time,
});
export type V1Message = z.infer<typeof v1Message>;

/**
 * Entries that cannot be read are left out, so that one bad entry does not hide the others. `isWhole` is false then,
 * because a missing entry may still exist at the service.
 */
const readable = <T extends z.ZodType>(entry: T) =>
  z.array(z.unknown()).transform((values) => {
    const parsed = values.map((value) => entry.safeParse(value));
    const entries = parsed.flatMap((result) => (result.success ? [result.data] : []));
    return { entries, isWhole: entries.length === values.length };
  });

export const v1Thread = z
  .object({
    ...ticketFields,
    customer: z
      .object({ email: z.string().nullable().catch(null) })
      .nullable()
      .catch(null),
    messages: readable(v1Message).catch({ entries: [], isWhole: false }),
  })
  .transform(({ messages, ...ticket }) => ({
    ...ticket,
    messages: messages.entries,
    isWhole: messages.isWhole,
  }));
export type V1Thread = z.infer<typeof v1Thread>;

export const v1TicketList = readable(v1Ticket);
/** `limit`: how many entries were requested. When there are fewer, the list is complete. */
export type V1TicketList = z.infer<typeof v1TicketList> & { limit: number };
