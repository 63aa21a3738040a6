import type { Message, Ticket } from '../../../shared/contract/tickets.ts';

/** The number of messages of a page. */
export const pageSize = 50;

/** Two messages of about the same time may change places between two reads. */
const overlapMs = 10_000;

/** The page fields of a ticket with its whole conversation. */
export const wholeConversation = { has_earlier: false, before: null, after: null } as const;

/**
 * The requested part of a conversation, by the id or the key of a message. An unknown or empty id means the newest
 * page. Without either field the whole conversation is returned, since an app of an older build may not know pages.
 */
export interface PageRequest {
  /** Requests the page that ends just before this message. */
  before?: string | null;
  /** Requests all messages after this one. Slightly older messages are included, so that there is no gap. */
  after?: string | null;
}

/** Cuts the requested part out of a whole conversation. */
export function pageOf(ticket: Ticket, { before = null, after = null }: PageRequest): Ticket {
  if (before === null && after === null) return ticket;
  const { messages } = ticket;
  const placeOf = (name: string | null) =>
    name === null ? -1 : messages.findIndex(({ id, key }) => id === name || key === name);
  const part = (start: number, end: number, bounds: Partial<Ticket> = {}): Ticket => ({
    ...ticket,
    messages: messages.slice(start, end),
    has_earlier: start > 0,
    ...bounds,
  });
  const end = placeOf(before);
  if (end >= 0) return part(Math.max(0, end - pageSize), end, { before });
  const place = placeOf(after);
  if (place >= 0) {
    const since = Date.parse(messages[place]!.created_at ?? '') - overlapMs;
    const isRecent = ({ created_at }: Message) => Date.parse(created_at ?? '') >= since;
    const start = messages.slice(0, place).findLastIndex((message) => !isRecent(message)) + 1;
    return part(start < place ? start : place + 1, messages.length, { after });
  }
  return part(Math.max(0, messages.length - pageSize), messages.length);
}
