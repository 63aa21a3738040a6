import type { ErrorCode } from '../../../shared/contract/errors.ts';
import type { Message, TicketSummary } from '../../../shared/contract/tickets.ts';
import { maxLength } from '../../../shared/contract/limits.ts';
import { isBlank } from '../../../shared/contract/typed.ts';
import type { WidgetEvent } from '../../bridge/messages.ts';
import type { Api } from '../api/client.ts';
import type { ApiFailure } from '../api/result.ts';
import { showConversation } from '../thread/viewed.ts';
import { type DraftsModel, filesName } from '../new-ticket/drafts.ts';
import type { NewTicketModel } from '../new-ticket/new-ticket.ts';
import type { OutboxModel } from './outbox.ts';
import {
  asMessage,
  type LocalFile,
  type MessageSend,
  type Send,
  type ShownMessage,
  ticketOf,
  type TicketSend,
} from './sends.ts';
import type { SessionModel } from '../customer/session.ts';
import { action, type ReadonlySignal, signal } from '@preact/signals';
import type { SyncModel } from '../live/sync.ts';
import type { TicketsModel } from '../ticket-list/tickets.ts';
import { isSame, refOf } from '../ticket-list/names.ts';
import type { ViewModel } from '../view.ts';

interface SendingOptions {
  api: Api;
  session: SessionModel;
  tickets: TicketsModel;
  outbox: OutboxModel;
  view: ViewModel;
  newTicket: NewTicketModel;
  drafts: DraftsModel;
  sync: SyncModel;
  list: ReadonlySignal<TicketSummary[]>;
  viewed: ReadonlySignal<TicketSummary | null>;
  isOnScreen: () => boolean;
  onEvent: (event: WidgetEvent) => void;
  refresh: () => Promise<unknown>;
  /** Resolves when the page no longer says who the customer is. */
  whenSettled: () => Promise<void>;
  /** Where the customer is, for the agents. */
  pageUrl: () => string | undefined;
}

/** What the customer's "Send" does, and what the answers to it do. No path loses the text. */
export function createSending(options: SendingOptions) {
  const { api, session, tickets, outbox, view, newTicket, drafts, sync, list, viewed } = options;
  const { onEvent, refresh, whenSettled, isOnScreen, pageUrl } = options;
  /** Why the last "Send again" failed; `internal` when there was no code. */
  const problem = signal<ErrorCode | null>(null);
  /** "Send" was pressed, and the address comes from the page, which has not given it yet. */
  const waitsForAddress = signal(false);

  /** Begins a new ticket with the undelivered texts and the subject of the ticket on screen. */
  const startWith = action(
    (messages: ShownMessage[], draft: string = '', more: readonly LocalFile[] = []) => {
      newTicket.prefill({ subject: viewed.peek()?.subject });
      newTicket.add([...messages.map(({ body }) => body), draft]);
      const files = [...messages.flatMap(({ key }) => outbox.find(key)?.files ?? []), ...more];
      if (files.length > 0) drafts.write(filesName('new'), [...drafts.files('new').peek(), ...files]);
      for (const { key } of messages) outbox.discard(key!);
      view.go({ name: 'new' });
    },
  );

  /** For a conversation that takes no more replies: moves its undelivered texts to a new ticket. */
  const startOver = action(() => {
    const ticket = viewed.peek()!;
    const ref = refOf(ticket);
    const isRefused = ticket.state === 'rejected';
    const opening = outbox.find(ref);
    const left = showConversation(ticket, tickets.thread(ref), outbox.sends.peek()).filter(
      ({ key, state }) => isRefused || state === 'rejected' || outbox.find(key)?.is_held === false,
    );
    if (opening?.kind === 'ticket') {
      const { notify, ...texts } = opening.payload;
      newTicket.prefill({ ...texts, description: '', ...(notify && { notify: 'on' }) });
    }
    startWith(left, drafts.reply(ref).peek(), drafts.files(ref).peek());
    drafts.clear(ref);
    // The BFF still lists a refused ticket.
    if (isRefused) outbox.markReplaced(ref);
  });

  /** Sends the form when it is valid; else shows its errors and focuses them. `website`: the hidden field for bots. */
  const submitTicket = action((website?: string) => {
    waitsForAddress.value = false;
    const payload = newTicket.check(pageUrl(), website);
    if (payload) {
      const ref = outbox.addTicket(payload, newTicket.clear, drafts.files('new').peek()).key;
      view.go({ name: 'thread', ref });
    } else if (session.isPending.peek() && newTicket.lacksAddressOnly()) {
      newTicket.refuse({}, null);
      waitsForAddress.value = true;
      void whenSettled().then(() => {
        if (waitsForAddress.peek()) submitTicket(website);
      });
    } else view.moves.value += 1;
  });

  return {
    problem,
    onTicket: action((send: TicketSend, ticket: TicketSummary) => {
      const { customer_email: email, customer_name: name = null } = send.payload;
      if (!session.current.peek()?.customer) session.change({ email, name, verified: false, owner: null });
      sync.putTicket(ticket);
      onEvent({ name: 'ticket-created', detail: { ticket_id: ticket.id } });
    }),
    onMessage({ ticket: { id, key } }: MessageSend, message: Message) {
      sync.putMessage(id ?? key!, message);
      onEvent({ name: 'message-sent', detail: { ticket_id: id } });
    },
    onRefused: action((send: Send, code: ErrorCode | null, fields: ApiFailure['fields']) => {
      onEvent({ name: 'error', detail: { code: code ?? 'internal' } });
      // Only a ticket on screen goes back to the form. A reply stays in its conversation; another tab may show the ticket.
      if (send.key !== viewed.peek()?.key) return;
      startOver();
      newTicket.refuse(fields, code ?? 'internal');
    }),
    /** An effect: moves refused replies whose conversation is not in the list any more to the form. */
    moveRejectedToForm() {
      const isKnown = tickets.isLoaded.value || !session.isUsed.value;
      if (!isKnown || !isOnScreen() || view.current.value.name === 'thread') return;
      const rejected = outbox.sends.value
        .filter((send) => !list.value.some((ticket) => isSame(ticket, ticketOf(send))))
        .map((send) => asMessage(send))
        .filter(({ state }) => state === 'rejected');
      if (rejected.length === 0) return;
      startWith(rejected);
      newTicket.refuse({}, rejected[0]!.error!);
    },
    waitsForAddress,
    submitTicket,
    submitReply: action(() => {
      const ticket = viewed.peek()!;
      const ref = refOf(ticket);
      const body = drafts.reply(ref).peek().trim();
      const files = drafts.files(ref).peek();
      if ((isBlank(body) && files.length === 0) || body.length > maxLength.body) return;
      const { id, key } = ticket;
      outbox.addMessage({ id, key }, { body }, () => drafts.clear(ref), files);
    }),
    /** "Send again": under a new key for a send that the BFF has refused, else by the BFF's own retry. */
    async sendAgain(key: string) {
      problem.value = null;
      const send = outbox.find(key);
      if (send?.is_held === false) return outbox.resend(send);
      const result = await api.retry(key);
      if (!result.ok) problem.value = result.error.code ?? 'internal';
      void refresh();
    },
    startWith,
    startOver,
  };
}

export type SendingModel = ReturnType<typeof createSending>;
