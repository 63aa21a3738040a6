import type { Message, Ticket, TicketSummary } from '../../../bff/contract/tickets.ts';
import type { ErrorCode } from '../../../bff/contract/errors.ts';
import type { ServerEvent } from '../api/shapes.ts';
import type { OutboxModel } from './outbox.ts';
import type { TicketSend } from './sends.ts';
import type { SessionModel } from './session.ts';
import { signal } from './signal.ts';
import type { TicketsModel } from './tickets.ts';

interface SyncOptions {
  session: SessionModel;
  tickets: TicketsModel;
  outbox: OutboxModel;
  /** An agent's message came that was not there before. */
  onArrival: (ticket: TicketSummary) => void;
  /** A ticket that the BFF held has been refused for good. */
  onRejected: (send: TicketSend, code: ErrorCode | null) => void;
  onSessionEnd: () => void;
}

/** Takes what the server says, in any order and any number of times, into the models. */
export function createSync({ session, tickets, outbox, onArrival, onRejected, onSessionEnd }: SyncOptions) {
  /** False while the BFF cannot read from the ticket service. */
  const isFresh = signal(true);

  function hearThread(ticketId: string, change: () => void) {
    change();
    const ticket = tickets.thread(ticketId);
    for (const { key } of ticket ? [ticket, ...ticket.messages] : []) if (key !== null) outbox.discard(key);
  }

  function hearTicket(ticket: TicketSummary, before: TicketSummary | undefined) {
    const { id, key, unread, state, error = null, can_retry } = ticket;
    const send = outbox.find(key ?? '');
    if (send?.kind === 'ticket' && state === 'rejected' && !can_retry) onRejected(send, error);
    if (id === null) return;
    if (send) outbox.link(send.key, id);
    if (before && unread > before.unread) onArrival(ticket);
  }

  function putTickets(list: TicketSummary[]) {
    const before = tickets.list.peek();
    tickets.replace(list);
    for (const ticket of list)
      hearTicket(
        ticket,
        before.find(({ id }) => id !== null && id === ticket.id),
      );
  }

  function putTicket(ticket: TicketSummary) {
    const before = tickets.find(ticket.id ?? '');
    tickets.put(ticket);
    hearTicket(ticket, before);
  }

  function putThread(ticket: Ticket) {
    if (ticket.id !== null) hearThread(ticket.id, () => tickets.putThread(ticket));
  }

  function putMessage(ticketId: string, message: Message) {
    hearThread(ticketId, () => tickets.putMessage(ticketId, message));
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
      } else if (name === 'freshness') isFresh.value = data.fresh;
      // What came of an operation stands in the events of its ticket and its message.
    },
  };
}

export type SyncModel = ReturnType<typeof createSync>;
