import { batch, computed, type ReadonlySignal, signal } from '@preact/signals';
import type { TicketSummary } from '../../../shared/contract/tickets.ts';
import type { CustomerModel } from '../customer/customer.ts';
import type { SessionModel } from '../customer/session.ts';
import type { View, ViewModel } from '../view.ts';
import type { TicketsModel } from './tickets.ts';
import { isNamed, refOf } from './names.ts';

type Home = 'form' | 'loading' | 'tickets';

interface HomeOptions {
  session: SessionModel;
  tickets: TicketsModel;
  customer: CustomerModel;
  view: ViewModel;
  list: ReadonlySignal<TicketSummary[]>;
}

export function createHome({ session, tickets, customer, view, list }: HomeOptions) {
  const { isLoaded } = tickets;
  const home = computed<Home>(() => {
    if (list.value.length > 0 || (isLoaded.value && customer.hasOffers.value)) return 'tickets';
    return session.isUsed.value && !isLoaded.value && !customer.isFormKept.value ? 'loading' : 'form';
  });

  return {
    /** What the start view shows. */
    home,
    /** Whether the form of a new ticket is on screen, as far as the view decides that. */
    isForm: computed(() => {
      const { name } = view.current.value;
      return name === 'new' || (name === 'start' && home.value === 'form');
    }),
    /** How many answers the customer has not read; until the list is loaded, the number of the session. */
    unread: computed(() => {
      const count = isLoaded.value
        ? tickets.list.value.reduce((sum, ticket) => sum + ticket.unread, 0)
        : session.current.value?.unread;
      return session.isWaiting.value ? 0 : (count ?? 0);
    }),
  };
}

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
