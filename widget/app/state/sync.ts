import type { Message, Ticket, TicketSummary } from '../../../bff/contract/tickets.ts';
import type { ServerEvent } from '../api/shapes.ts';
import type { OutboxModel } from './outbox.ts';
import type { Send } from './sends.ts';
import { ticketOf } from './sends.ts';
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
  /** Something is missing between what is here of a conversation and what came of it. */
  onGap: () => void;
  onSessionEnd: () => void;
}

const isDelivered = ({ is_held, state }: Send) => is_held && state === 'done';

/** Takes what the server says, in any order and any number of times, into the models. */
export function createSync({
  session,
  tickets,
  outbox,
  onArrival,
  onUnreadable,
  onGap,
  onSessionEnd,
}: SyncOptions) {
  /** False while the BFF cannot read from the ticket service. */
  const isFresh = signal(true);

  function putTicket(ticket: TicketSummary) {
    const known = tickets.list.peek().find((other) => isSame(other, ticket));
    tickets.put(ticket);
    if (ticket.key !== null) outbox.hear(ticket.key, ticket);
    if (known && ticket.unread > known.unread) onArrival(ticket);
  }

  /** `since`: the moment that it was asked for. */
  function putTickets(list: TicketSummary[], since?: number) {
    tickets.keep(list, since);
    list.forEach(putTicket);
  }

  /** What a conversation shows is kept by the BFF; `isElsewhere`: and what an earlier page of it has. */
  function dropShown(messages: readonly Message[], isElsewhere = (_: Send) => false) {
    const shown = new Set(messages.map(({ key }) => key));
    // As stored now: another tab may have sent it.
    outbox.refresh();
    for (const send of outbox.sends.peek())
      if (shown.has(send.key) || isElsewhere(send)) outbox.discard(send.key);
  }

  /** A page that was asked for at `since`. False when it does not join on to what is here. */
  function putThread(ticket: Ticket, since?: number): boolean {
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
    // Of one that waited the list may not know yet what has become of it.
    if (tickets.find(refOf(ticket))?.id === null) tickets.put(ticket);
    return true;
  }

  /** `ref`: the ticket's id or key. */
  function putMessage(ref: string, message: Message) {
    const ticket = tickets.thread(ref);
    if (!ticket) return;
    tickets.putMessage(ticket, message);
    dropShown([message]);
  }

  return {
    isFresh,
    putTickets,
    putTicket,
    putThread,
    putMessage,
    /** `since`: the moment that its stream began; undefined for what another tab has heard. */
    apply({ name, data }: ServerEvent, since?: number) {
      if (name === 'sync') {
        session.put(data.session);
        putTickets(data.tickets, since);
        if (data.thread && !putThread(data.thread, since)) onGap();
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
