import { computed } from '@preact/signals';
import type { SessionModel } from '../customer/session.ts';
import type { TicketsModel } from './tickets.ts';

/** How many answers the customer has not read; until the list is here, as the session says. */
export const createUnread = (session: SessionModel, tickets: TicketsModel) =>
  computed(() => {
    const count = tickets.isLoaded.value
      ? tickets.list.value.reduce((sum, ticket) => sum + ticket.unread, 0)
      : session.current.value?.unread;
    return session.isWaiting.value ? 0 : (count ?? 0);
  });
