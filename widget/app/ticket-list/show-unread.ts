import type { ReadonlySignal } from '@preact/signals';
import { batch, signal } from '@preact/signals';
import type { TicketSummary } from '../../../shared/contract/tickets.ts';
import type { View, ViewModel } from '../view.ts';
import { isNamed, refOf } from './names.ts';
import type { TicketsModel } from './tickets.ts';

interface ShowUnreadOptions {
  view: ViewModel;
  tickets: TicketsModel;
  list: ReadonlySignal<TicketSummary[]>;
}

/** Where a customer who opens the panel because of its badge finds what is unread. */
export function createShowUnread({ view, tickets, list }: ShowUnreadOptions) {
  /** The view in which the panel was opened, until the tickets are known. */
  const openedIn = signal<View | null>(null);
  return {
    /**
     * The panel was opened, without a place to go. `isAgain`: it was closed before. The customer then finds their
     * conversation as they left it only if nothing is unread elsewhere.
     */
    showUnread(isAgain: boolean) {
      const place = view.current.peek();
      if (place.name === 'start' || (isAgain && place.name === 'thread')) openedIn.value = place;
    },
    /** An effect: goes to the conversation that has all unread answers or, from another one, to the list. */
    goToUnread() {
      const place = openedIn.value;
      if (!place || !tickets.isLoaded.value) return;
      const unread = list.peek().filter((ticket) => ticket.unread > 0);
      batch(() => {
        openedIn.value = null;
        // The customer has gone on, or sees an unread one already.
        if (view.current.peek() !== place || unread.some(isNamed(place.ref ?? ''))) return;
        if (unread.length === 1) view.go({ name: 'thread', ref: refOf(unread[0]!) });
        else if (unread.length > 1 && place.ref !== undefined) view.go({ name: 'start' });
      });
    },
  };
}
