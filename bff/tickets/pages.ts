import type { Ticket } from '../contract/tickets.ts';

/** Messages of a page. */
export const pageSize = 50;

/** The members of a ticket that holds its whole conversation. */
export const whole = { has_earlier: false, before: null, after: null } as const;

/** Which part of a conversation is asked for, by the id or the key of a message; the newest page without either. */
export interface PageRequest {
  /** The page that ends right before this message. */
  before?: string | null;
  /** All that follows this message: a page could leave a gap behind it. */
  after?: string | null;
}

/** The part of a whole conversation that is asked for. What names no message of it counts as not given. */
export function pageOf(ticket: Ticket, { before = null, after = null }: PageRequest): Ticket {
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
  const start = placeOf(after) + 1;
  if (start > 0) return part(start, messages.length, { after });
  return part(Math.max(0, messages.length - pageSize), messages.length);
}
