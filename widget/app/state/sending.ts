import type { ErrorCode } from '../../../bff/contract/errors.ts';
import type { Message, TicketSummary } from '../../../bff/contract/tickets.ts';
import { codePoints, maxLength } from '../../../bff/contract/limits.ts';
import type { WidgetEvent } from '../../bridge/messages.ts';
import type { Api } from '../api/client.ts';
import type { ApiFailure } from '../api/result.ts';
import { isReplyTo, showConversation } from './conversation.ts';
import type { DraftsModel } from './drafts.ts';
import type { NewTicketModel } from './new-ticket.ts';
import type { OutboxModel } from './outbox.ts';
import type { MessageSend, Send, TicketSend } from './sends.ts';
import { textOf } from './sends.ts';
import type { SessionModel } from './session.ts';
import type { ReadonlySignal } from './signal.ts';
import { signal } from './signal.ts';
import type { SyncModel } from './sync.ts';
import type { TicketsModel } from './tickets.ts';
import { refOf } from './tickets.ts';
import type { ViewModel } from './view.ts';

interface SendingOptions {
  api: Api;
  session: SessionModel;
  tickets: TicketsModel;
  outbox: OutboxModel;
  view: ViewModel;
  newTicket: NewTicketModel;
  drafts: DraftsModel;
  sync: SyncModel;
  viewed: ReadonlySignal<TicketSummary | null>;
  pageUrl: () => string | undefined;
  onEvent: (event: WidgetEvent) => void;
  refresh: () => void;
}

/** From the customer's "Send" to the server's word on it; no path loses the text. */
export function createSending(options: SendingOptions) {
  const { api, session, tickets, outbox, view, newTicket, drafts, sync, viewed, pageUrl, onEvent, refresh } =
    options;
  /** Why "Send again" did not help, until the next attempt; `internal` where nobody said. */
  const problem = signal<ErrorCode | null>(null);

  /** A new ticket on the subject of the one on screen, begun with these texts. */
  function startWith(texts: string[]) {
    newTicket.prefill({ subject: viewed.peek()!.subject });
    newTicket.add(texts);
    view.go({ name: 'new' });
  }

  return {
    problem,
    onTicket(send: TicketSend, ticket: TicketSummary) {
      const { customer_email: email, customer_name: name = null } = send.payload;
      if (!session.current.peek()?.customer) session.change({ email, name, verified: false });
      sync.putTicket(ticket);
      onEvent({ name: 'ticket-created', detail: { ticket_id: ticket.id } });
    },
    onMessage({ ticket: { id, key } }: MessageSend, message: Message) {
      sync.putMessage(id ?? key!, message);
      onEvent({ name: 'message-sent', detail: { ticket_id: id } });
    },
    onRefused(send: Send, code: ErrorCode | null, fields: ApiFailure['fields']) {
      const { key } = send;
      const ticket = viewed.peek();
      const isViewed = ticket !== null && (ticket.key === key || isReplyTo(ticket)(send));
      onEvent({ name: 'error', detail: { code: code ?? 'internal' } });
      // A reply stays in its conversation, unless that can no longer be opened.
      if (send.kind === 'message' && (isViewed || code !== 'unauthenticated')) return;
      // A ticket goes back to the form, with the replies that had been added.
      if (send.kind === 'ticket') newTicket.prefill({ ...send.payload, description: '' });
      const returned = [send, ...outbox.sends.peek().filter(isReplyTo({ id: null, key }))];
      newTicket.add(returned.map(textOf));
      newTicket.refuse(fields, code ?? 'internal');
      for (const { key: back } of returned) outbox.discard(back);
      if (isViewed || view.current.peek().name !== 'thread') view.go({ name: 'new' });
    },
    /** Sends the form when it is right; else its faults show and take focus. */
    submitTicket(website?: string) {
      const payload = newTicket.check(pageUrl(), website);
      if (payload) {
        // Its draft makes room for it, where storage is short.
        newTicket.clear();
        const ref = outbox.addTicket(payload).key;
        view.go({ name: 'thread', ref });
      } else view.moves.value += 1;
    },
    submitReply() {
      const ticket = viewed.peek();
      const ref = ticket ? refOf(ticket) : '';
      const body = drafts.reply(ref).peek().trim();
      if (!ticket || !body || codePoints(body) > maxLength.body) return;
      drafts.clear(ref);
      outbox.addMessage({ id: ticket.id, key: ticket.key }, { body });
    },
    /** The customer's "Send again": a new key after a final refusal here, the same where the server offers it. */
    async sendAgain(key: string) {
      problem.value = null;
      const send = outbox.find(key);
      if (send && !send.is_held) {
        outbox.resend(send);
        return;
      }
      const result = await api.retry(key);
      if (!result.ok) problem.value = result.error.code ?? 'internal';
      refresh();
    },
    startWith,
    /** This conversation takes no more replies: what it has not taken goes into a new ticket. */
    startOver() {
      const ticket = viewed.peek()!;
      const ref = refOf(ticket);
      const isRefused = ticket.state === 'rejected';
      const texts: string[] = [];
      for (const { key, state, body } of showConversation(ticket, tickets.thread(ref), outbox.sends.peek())) {
        const send = outbox.find(key ?? '');
        if (!isRefused && state !== 'rejected' && send?.is_held !== false) continue;
        texts.push(body);
        if (send) outbox.discard(send.key);
      }
      startWith([...texts, drafts.reply(ref).peek()]);
      drafts.clear(ref);
    },
  };
}

export type SendingModel = ReturnType<typeof createSending>;
