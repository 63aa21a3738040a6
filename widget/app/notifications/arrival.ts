import type { ReadonlySignal } from '@preact/signals';
import type { TicketSummary } from '../../../bff/contract/tickets.ts';
import type { WidgetEvent } from '../../bridge/messages.ts';
import type { LiveModel } from '../live/live.ts';
import type { TicketsModel } from '../ticket-list/tickets.ts';

interface ArrivalOptions {
  tickets: TicketsModel;
  isOpen: ReadonlySignal<boolean>;
  viewedId: ReadonlySignal<string | null>;
  live: LiveModel;
  onEvent: (event: WidgetEvent) => void;
  /** Called in the leader tab only, so that the customer is notified once. */
  onArrival: (ticket: TicketSummary) => void;
}

/** Reports an agent's new answer to the views, the notifications and the host page. */
export function reportArrival(options: ArrivalOptions, ticket: TicketSummary) {
  const { tickets, isOpen, viewedId, live, onEvent, onArrival } = options;
  if (isOpen.peek())
    (ticket.id === viewedId.peek() ? tickets.arrivedHere : tickets.arrivedElsewhere).value = ticket;
  if (live.isLeading()) onArrival(ticket);
  onEvent({ name: 'message-received', detail: { ticket_id: ticket.id } });
}
