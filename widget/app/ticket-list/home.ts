import type { ReadonlySignal } from '@preact/signals';
import { computed } from '@preact/signals';
import type { TicketSummary } from '../../../bff/contract/tickets.ts';
import type { Home } from '../core.ts';
import type { CustomerModel } from '../customer/customer.ts';
import type { SessionModel } from '../customer/session.ts';
import type { TicketsModel } from './tickets.ts';

interface HomeOptions {
  session: SessionModel;
  tickets: TicketsModel;
  customer: CustomerModel;
  list: ReadonlySignal<TicketSummary[]>;
}

/** What the start view shows. */
export const createHome = ({ session, tickets, customer, list }: HomeOptions) =>
  computed<Home>(() => {
    const isLoaded = tickets.isLoaded.value;
    if (list.value.length > 0 || (isLoaded && customer.hasOffers.value)) return 'tickets';
    return session.isUsed.value && !isLoaded && !customer.isFormKept.value ? 'loading' : 'form';
  });
