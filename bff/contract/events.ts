import type { Session } from './session.ts';
import type { Message, Operation, Ticket, TicketSummary } from './tickets.ts';

/** Server-sent events of `GET /api/events[?thread={ticket id}[&after={message}]]`, by event name. */
export interface ServerEvents {
  /**
   * First after every connect: all that the customer's screen needs. `thread` is the ticket asked for, if theirs, with
   * the messages that follow `after`, the newest where that is empty, or all without it.
   */
  sync: { session: Session; tickets: TicketSummary[]; thread: Ticket | null };
  /** A ticket appeared or changed. */
  ticket: TicketSummary;
  /** A message appeared in a ticket, or changed (found by `id`, else by `key`). */
  message: { ticket_id: string; message: Message };
  operation: Operation;
  /** The session changed; `customer` null when it ended. `signed_out`: the customer has ended it themselves. */
  session: Session & { signed_out?: true };
  /** The BFF could (`fresh: true`) or could not read from the ticket service; after each sync, and on change. */
  freshness: { fresh: boolean };
}

export type ServerEventName = keyof ServerEvents;

/** A comment line is sent this often, so that a silent connection is a dead one. */
export const heartbeatMs = 20_000;
