import { computed, type ReadonlySignal } from '@preact/signals';
import type { Ticket, TicketSummary } from '../../../shared/contract/tickets.ts';
import type { SessionModel } from '../customer/session.ts';
import type { OutboxModel } from '../outbox/outbox.ts';
import { isNamed, isSame, refOf } from '../ticket-list/names.ts';
import type { TicketsModel } from '../ticket-list/tickets.ts';
import type { ViewModel } from '../view.ts';
import { asMessage, type FileUrls, type Send, type ShownMessage, ticketOf } from '../outbox/sends.ts';

interface ViewedOptions {
  session: SessionModel;
  tickets: TicketsModel;
  outbox: OutboxModel;
  view: ViewModel;
  /** The tickets on screen. */
  list: ReadonlySignal<TicketSummary[]>;
}

/** The ticket whose conversation is on screen. */
export function createViewed({ session, tickets, outbox, view, list }: ViewedOptions) {
  const ref = () => (session.isWaiting.value ? undefined : view.current.value.ref);

  const viewed = computed(() => {
    const named = ref();
    if (named === undefined) return null;
    const thread = tickets.thread(named);
    // If the page named the ticket, the list may not be loaded yet.
    return list.value.find(isNamed(named)) ?? (thread?.id === named ? thread : null);
  });

  /** A ticket that is in no list is requested by its ref. Most often that is an id from the host page. */
  const viewedId = computed(() => (viewed.value ? viewed.value.id : (ref() ?? null)));

  return {
    /** Null until a list or a read contains it. */
    viewed,
    viewedId,
    /** Its id, or its key while it has no id; null if only this browser has the ticket. */
    viewedName: computed(() => viewedId.value ?? tickets.find(viewed.value?.key ?? '')?.key ?? null),
    /** The messages of its conversation, with messages that are still being sent. */
    messages: computed(() => {
      const ticket = viewed.value;
      return ticket
        ? showConversation(ticket, tickets.thread(refOf(ticket)), outbox.sends.value, outbox.urls.value)
        : [];
    }),
  };
}

/** The messages of a conversation: those of the BFF, then those that are still in the outbox. */
export function showConversation(
  summary: TicketSummary,
  ticket: Ticket | undefined,
  sends: readonly Send[],
  urls?: FileUrls,
): ShownMessage[] {
  const { key, state, can_retry, error = null } = summary;
  const cached: readonly ShownMessage[] = ticket?.messages ?? [];
  const own = sends.filter(
    (send) => isSame(ticketOf(send), summary) && !cached.some((message) => message.key === send.key),
  );
  // The state of a ticket's first message is that of the ticket in the list, which is updated first.
  const follow = (message: ShownMessage) =>
    key !== null && message.key === key ? Object.assign({}, message, { state, can_retry, error }) : message;
  return [
    ...cached.map(follow),
    ...own.map((send) => (send.is_held ? follow(asMessage(send, urls)) : asMessage(send, urls))),
  ];
}
