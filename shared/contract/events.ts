import type { Session } from './session.ts';
import type { Message, Operation, Ticket, TicketSummary } from './tickets.ts';

/** Server-sent events of `GET /api/events[?thread={ticket id}[&after={message}]]`, by event name. */
export interface ServerEvents {
  /**
   * The first event after every connect, with everything that the screen needs. `thread` is the requested ticket, if
   * it is the customer's, with the messages that follow `after`. With an empty `after` it has the newest messages,
   * and without `after` all.
   */
  sync: { session: Session; tickets: TicketSummary[]; thread: Ticket | null };
  /** A ticket appeared or changed. */
  ticket: TicketSummary;
  /** A message appeared in a ticket, or changed (found by `id`, else by `key`). */
  message: { ticket_id: string; message: Message };
  operation: Operation;
  /** The session changed; `customer` is null when it ended. `signed_out`: the customer ended it. */
  session: Session & { signed_out?: true };
  /** Whether the BFF could read from the ticket service; sent after each sync, and on change. */
  freshness: { fresh: boolean };
}

export type ServerEventName = keyof ServerEvents;

/** How often a comment line is sent. A connection that is silent for longer is broken. */
export const heartbeatMs = 20_000;
