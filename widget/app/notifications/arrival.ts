import type { ReadonlySignal } from '@preact/signals';
import type { TicketSummary } from '../../../bff/contract/tickets.ts';
import type { WidgetEvent } from '../../bridge/messages.ts';
import type { TicketsModel } from '../ticket-list/tickets.ts';

interface ArrivalOptions {
  tickets: TicketsModel;
  isOpen: ReadonlySignal<boolean>;
  viewedId: ReadonlySignal<string | null>;
  /** Whether this is the one tab that notifies the customer. */
  isLeading: () => boolean;
  onEvent: (event: WidgetEvent) => void;
  onArrival: (ticket: TicketSummary) => void;
}

/** Reports an agent's new answer to whoever shows it: the views, the host page and the notifications. */
export const createArrival =
  ({ tickets, isOpen, viewedId, isLeading, onEvent, onArrival }: ArrivalOptions) =>
  (ticket: TicketSummary): void => {
    if (isOpen.peek())
      (ticket.id === viewedId.peek() ? tickets.arrivedHere : tickets.arrivedElsewhere).value = ticket;
    if (isLeading()) onArrival(ticket);
    onEvent({ name: 'message-received', detail: { ticket_id: ticket.id } });
  };
