import type { Message, Ticket, TicketSummary } from '../../../shared/contract/tickets.ts';
import type { ServerEventName, ServerEvents } from '../../../shared/contract/events.ts';
import type { ServerEvent } from '../api/shapes.ts';
import type { OutboxModel } from '../outbox/outbox.ts';
import { type Send, ticketOf } from '../outbox/sends.ts';
import type { SessionModel } from '../customer/session.ts';
import { action, signal } from '@preact/signals';
import type { TicketsModel } from '../ticket-list/tickets.ts';
import { isSame, refOf } from '../ticket-list/names.ts';

interface SyncOptions {
  session: SessionModel;
  tickets: TicketsModel;
  outbox: OutboxModel;
  /** A new message of an agent has arrived. */
  onArrival: (ticket: TicketSummary) => void;
  /** A conversation that could not be read from the service has changed, or can be read now. */
  onUnreadable: () => void;
  /** Messages are missing between the known part of a conversation and the part that has arrived. */
  onGap: () => void;
  /** `isSignedOut`: the customer has ended it. */
  onSessionEnd: (isSignedOut?: boolean) => void;
}

const isDelivered = ({ is_held, state }: Send) => is_held && state === 'done';

/** Applies the server's events to the models. Events may come in any order, and more than once. */
export function createSync(options: SyncOptions) {
  const { session, tickets, outbox, onArrival, onUnreadable, onGap, onSessionEnd } = options;
  /** False while the BFF cannot read from the ticket service. */
  const isFresh = signal(true);

  const putTicket = action((ticket: TicketSummary) => {
    const known = tickets.list.peek().find((other) => isSame(other, ticket));
    tickets.put(ticket);
    if (ticket.key !== null) outbox.applyState(ticket.key, ticket);
    if (known && ticket.unread > known.unread) onArrival(ticket);
  });

  /** `since`: `tickets.moment()` at the time of the request. */
  const putTickets = action((list: TicketSummary[], since?: number) => {
    tickets.removeUnlisted(list, since);
    for (const ticket of list) putTicket(ticket);
  });

  /** Discards sends that the conversation shows, since the BFF has them; `isElsewhere`: those on an earlier page. */
  function dropShown(messages: readonly Message[], isElsewhere = (_: Send) => false) {
    const shown = new Set(messages.map(({ key }) => key));
    // Another tab may have sent it.
    outbox.refresh();
    for (const send of outbox.sends.peek())
      if (shown.has(send.key) || isElsewhere(send)) outbox.discard(send.key);
  }

  /** Adds a page of a conversation. False when it does not join the known messages. `since`: see `putTickets`. */
  const putThread = action((ticket: Ticket, since?: number): boolean => {
    if (!tickets.putThread(ticket, since)) return false;
    const start = ticket.has_earlier && ticket.after === null && ticket.messages[0]?.created_at;
    dropShown(
      ticket.messages,
      (send) =>
        Boolean(start) &&
        isDelivered(send) &&
        isSame(ticketOf(send), ticket) &&
        send.created_at < String(start),
    );
    // The list may not have the id of a ticket that has just been created at the service.
    if (tickets.find(refOf(ticket))?.id === null) tickets.put(ticket);
    return true;
  });

  /** `ref`: the ticket's id or key. */
  const putMessage = action((ref: string, message: Message) => {
    const ticket = tickets.thread(ref);
    if (!ticket) return;
    tickets.putMessage(ticket, message);
    dropShown([message]);
  });

  const onEvent: { [Name in ServerEventName]: (data: ServerEvents[Name], since?: number) => void } = {
    sync(data, since) {
      session.put(data.session);
      putTickets(data.tickets, since);
      if (data.thread && !putThread(data.thread, since)) onGap();
    },
    ticket: putTicket,
    message: ({ ticket_id, message }) => putMessage(ticket_id, message),
    session(data) {
      if (data.customer) session.put(data);
      else onSessionEnd(data.signed_out);
    },
    freshness({ fresh }) {
      isFresh.value = fresh;
      if (fresh) onUnreadable();
    },
    operation(data) {
      // The only event of a reply whose conversation is not loaded.
      outbox.applyState(data.key, data);
      // A ticket without an id has no message events.
      if (data.ticket_id === null) onUnreadable();
    },
  };

  return {
    isFresh,
    putTickets,
    putTicket,
    putThread,
    putMessage,
    /** `since`: when its stream was requested; undefined for events from another tab. */
    apply: action(({ name, data }: ServerEvent, since?: number) =>
      (onEvent[name] as (data: unknown, since?: number) => void)(data, since),
    ),
  };
}

export type SyncModel = ReturnType<typeof createSync>;
