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
  onUnreadable: () => void;
  onSessionEnd: () => void;
}

/** Takes what the server says, in any order and any number of times, into the models. */
export function createSync({ session, tickets, outbox, onArrival, onUnreadable, onSessionEnd }: SyncOptions) {
  /** False while the BFF cannot read from the ticket service. */
  const isFresh = signal(true);

  function putTicket(ticket: TicketSummary) {
    const known = tickets.list.peek().find((other) => isSame(other, ticket));
    tickets.put(ticket);
    if (ticket.key !== null) outbox.hear(ticket.key, ticket);
    if (known && ticket.unread > known.unread) onArrival(ticket);
  }

  function putTickets(list: TicketSummary[]) {
    tickets.keep(list);
    list.forEach(putTicket);
  }

  /** What a conversation shows is kept by the BFF. */
  function show(ticket: Ticket) {
    tickets.putThread(ticket);
    const held = new Set(ticket.messages.map(({ key }) => key));
    // As stored now: another tab may have sent it.
    outbox.refresh();
    for (const { key } of outbox.sends.peek()) if (held.has(key)) outbox.discard(key);
  }

  function putThread(ticket: Ticket) {
    show(ticket);
    // Of one that waited the list may not know yet what has become of it.
    if (tickets.find(refOf(ticket))?.id === null) tickets.put(ticket);
  }

  /** `ref`: the ticket's id or key. */
  function putMessage(ref: string, message: Message) {
    const ticket = tickets.thread(ref);
    if (ticket) show({ ...ticket, messages: [message] });
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
        if (data.fresh) onUnreadable();
      } else {
        // Of a reply this is the only word while its conversation is not here.
        outbox.hear(data.key, data);
        // A ticket without an id has no message events.
        if (data.ticket_id === null) onUnreadable();
      }
    },
  };
}

export type SyncModel = ReturnType<typeof createSync>;
