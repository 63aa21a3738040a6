import type { Message, Ticket, TicketSummary } from '../../../bff/contract/tickets.ts';
import type { ServerEvent } from '../api/shapes.ts';
import type { OutboxModel } from './outbox.ts';
import type { SessionModel } from './session.ts';
import { signal } from './signal.ts';
import type { TicketsModel } from './tickets.ts';
import { isSame, refOf } from './tickets.ts';

interface SyncOptions {
  session: SessionModel;
  tickets: TicketsModel;
  outbox: OutboxModel;
  /** An agent's message came that was not there before. */
  onArrival: (ticket: TicketSummary) => void;
  /** A conversation that could not be read from the service may have changed, or can be read now. */
  onUnread: () => void;
  onSessionEnd: () => void;
}

/** Takes what the server says, in any order and any number of times, into the models. */
export function createSync({ session, tickets, outbox, onArrival, onUnread, onSessionEnd }: SyncOptions) {
  /** False while the BFF cannot read from the ticket service. */
  const isFresh = signal(true);

  /** What a conversation shows is kept by the BFF. */
  function hearThread(ref: string) {
    for (const { key } of tickets.thread(ref)?.messages ?? []) if (key !== null) outbox.discard(key);
  }

  /** Calls back after `change` for each of `changed` that an agent has answered meanwhile. */
  function hearTickets(changed: TicketSummary[], change: () => void) {
    const before = tickets.list.peek();
    change();
    for (const ticket of changed) {
      const known = before.find((other) => isSame(other, ticket));
      if (known && ticket.unread > known.unread) onArrival(ticket);
    }
  }

  const putTickets = (list: TicketSummary[]) => hearTickets(list, () => tickets.replace(list));
  const putTicket = (ticket: TicketSummary) => hearTickets([ticket], () => tickets.put(ticket));

  function putThread(ticket: Ticket) {
    const ref = refOf(ticket);
    tickets.putThread(ticket);
    hearThread(ref);
    // Of one that waited the list may not know yet what has become of it.
    if (tickets.find(ref)?.id === null) tickets.put(ticket);
  }

  /** `ref`: the ticket's id or key. */
  function putMessage(ref: string, message: Message) {
    tickets.putMessage(ref, message);
    hearThread(ref);
  }

  return {
    isFresh,
    putTickets,
    putTicket,
    putThread,
    putMessage,
    apply({ name, data }: ServerEvent) {
      if (name === 'sync') {
        session.put(data.session);
        putTickets(data.tickets);
        if (data.thread) putThread(data.thread);
      } else if (name === 'ticket') putTicket(data);
      else if (name === 'message') putMessage(data.ticket_id, data.message);
      else if (name === 'session') {
        if (data.customer) session.put(data);
        else onSessionEnd();
      } else if (name === 'freshness') {
        isFresh.value = data.fresh;
        if (data.fresh) onUnread();
        // What came of an operation on a ticket with an id stands in the events of that ticket and its messages.
      } else if (data.ticket_id === null) onUnread();
    },
  };
}

export type SyncModel = ReturnType<typeof createSync>;
