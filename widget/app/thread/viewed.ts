import type { ReadonlySignal } from '@preact/signals';
import { computed } from '@preact/signals';
import type { TicketSummary } from '../../../shared/contract/tickets.ts';
import type { SessionModel } from '../customer/session.ts';
import type { OutboxModel } from '../outbox/outbox.ts';
import { isNamed, refOf } from '../ticket-list/names.ts';
import type { TicketsModel } from '../ticket-list/tickets.ts';
import type { ViewModel } from '../view.ts';
import { showConversation } from './show-conversation.ts';

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
