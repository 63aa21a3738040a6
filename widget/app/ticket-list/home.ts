import type { ReadonlySignal } from '@preact/signals';
import { computed } from '@preact/signals';
import type { TicketSummary } from '../../../shared/contract/tickets.ts';
import type { CustomerModel } from '../customer/customer.ts';
import type { SessionModel } from '../customer/session.ts';
import type { ViewModel } from '../view.ts';
import type { TicketsModel } from './tickets.ts';

export type Home = 'form' | 'loading' | 'tickets';

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
