import type { ErrorCode } from '../../../bff/contract/errors.ts';
import type { Message, TicketSummary } from '../../../bff/contract/tickets.ts';
import { maxLength } from '../../../bff/contract/limits.ts';
import type { WidgetEvent } from '../../bridge/messages.ts';
import type { Api } from '../api/client.ts';
import type { ApiFailure } from '../api/result.ts';
import type { Store } from '../storage.ts';
import { showConversation } from './conversation.ts';
import type { DraftsModel } from './drafts.ts';
import type { NewTicketModel } from './new-ticket.ts';
import type { OutboxModel } from './outbox.ts';
import type { MessageSend, Send, ShownMessage, TicketSend } from './sends.ts';
import { asMessage, ticketOf } from './sends.ts';
import type { SessionModel } from './session.ts';
import type { ReadonlySignal } from './signal.ts';
import { signal } from './signal.ts';
import type { SyncModel } from './sync.ts';
import type { TicketsModel } from './tickets.ts';
import { isSame, refOf } from './tickets.ts';
import type { ViewModel } from './view.ts';

interface SendingOptions {
  api: Api;
  storage: Store;
  session: SessionModel;
  tickets: TicketsModel;
  outbox: OutboxModel;
  view: ViewModel;
  newTicket: NewTicketModel;
  drafts: DraftsModel;
  sync: SyncModel;
  list: ReadonlySignal<TicketSummary[]>;
  viewed: ReadonlySignal<TicketSummary | null>;
  pageUrl: () => string | undefined;
  onEvent: (event: WidgetEvent) => void;
  refresh: () => void;
  onSessionEnd: () => void;
  findOwner: () => Promise<void>;
}

/** Names of refused tickets that a new one has taken the place of. */
export const overName = 'over:';

/** From the customer's "Send" to the server's word on it; no path loses the text. */
export function createSending(options: SendingOptions) {
  const { api, storage, session, tickets, outbox, view, newTicket, drafts, sync, list, viewed } = options;
  const { pageUrl, onEvent, onSessionEnd, findOwner, refresh } = options;
  /** Why "Send again" did not help, until the next attempt; `internal` where nobody said. */
  const problem = signal<ErrorCode | null>(null);

  /** A new ticket begun with what did not arrive, on the subject of the one on screen. */
  function startWith(messages: ShownMessage[], draft = '') {
    newTicket.prefill({ subject: viewed.peek()?.subject });
    newTicket.add([...messages.map(({ body }) => body), draft]);
    for (const { key } of messages) outbox.discard(key!);
    view.go({ name: 'new' });
  }

  /** This conversation takes no more replies: what it has not taken goes into a new ticket. */
  function startOver() {
    const ticket = viewed.peek()!;
    const ref = refOf(ticket);
    const isRefused = ticket.state === 'rejected';
    const opening = outbox.find(ref);
    const left = showConversation(ticket, tickets.thread(ref), outbox.sends.peek()).filter(
      ({ key, state }) => isRefused || state === 'rejected' || outbox.find(key)?.is_held === false,
    );
    if (opening?.kind === 'ticket') newTicket.prefill({ ...opening.payload, description: '' });
    startWith(left, drafts.reply(ref).peek());
    drafts.clear(ref);
    // The BFF lists it for good.
    if (isRefused) storage.write(overName + ref, true);
  }

  return {
    problem,
    onSessionEnd,
    findOwner,
    onTicket(send: TicketSend, ticket: TicketSummary) {
      const { customer_email: email, customer_name: name = null } = send.payload;
      if (!session.current.peek()?.customer) session.change({ email, name, verified: false, owner: null });
      sync.putTicket(ticket);
      onEvent({ name: 'ticket-created', detail: { ticket_id: ticket.id } });
    },
    onMessage({ ticket: { id, key } }: MessageSend, message: Message) {
      sync.putMessage(id ?? key!, message);
      onEvent({ name: 'message-sent', detail: { ticket_id: id } });
    },
    onRefused(send: Send, code: ErrorCode | null, fields: ApiFailure['fields']) {
      onEvent({ name: 'error', detail: { code: code ?? 'internal' } });
      // A reply stays in its conversation; so does a ticket that is not on screen: another tab may show it.
      if (send.key !== viewed.peek()?.key) return;
      startOver();
      newTicket.refuse(fields, code ?? 'internal');
    },
    /** Refused replies whose conversation can no longer be opened here go on in the form. */
    takeStranded() {
      const stranded = outbox.sends.value
        .filter((send) => !list.value.some((ticket) => isSame(ticket, ticketOf(send))))
        .map(asMessage)
        .filter(({ state }) => state === 'rejected');
      if (stranded.length === 0) return;
      startWith(stranded);
      newTicket.refuse({}, stranded[0]!.error!);
    },
    /** Sends the form when it is right; else its faults show and take focus. */
    submitTicket(website?: string) {
      const payload = newTicket.check(pageUrl(), website);
      if (payload) {
        const ref = outbox.addTicket(payload, newTicket.clear).key;
        view.go({ name: 'thread', ref });
      } else view.moves.value += 1;
    },
    submitReply() {
      const ticket = viewed.peek()!;
      const ref = refOf(ticket);
      const body = drafts.reply(ref).peek().trim();
      if (!body || body.length > maxLength.body) return;
      const { id, key } = ticket;
      outbox.addMessage({ id, key }, { body }, () => drafts.clear(ref));
    },
    /** The customer's "Send again": a new key after a final refusal here, the same where the server offers it. */
    async sendAgain(key: string) {
      problem.value = null;
      const send = outbox.find(key);
      if (send?.is_held === false) return outbox.resend(send);
      const result = await api.retry(key);
      if (!result.ok) problem.value = result.error.code ?? 'internal';
      refresh();
    },
    startWith,
    startOver,
  };
}

export type SendingModel = ReturnType<typeof createSending>;
