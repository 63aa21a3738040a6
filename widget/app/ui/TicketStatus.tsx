import type { TicketSummary } from '../../../shared/contract/tickets.ts';
import type { AppProps } from '../app.ts';

/** Status and number from the service or, until it gives them, the delivery state of the ticket. */
export function TicketStatus({ app: { s, statusText }, ticket }: AppProps & { ticket: TicketSummary }) {
  const { state, status, ticket_number } = ticket;
  return (
    <span class="status">
      <span class={`chip ${state}`}>{state === 'done' ? statusText(status) : s.states[state]}</span>
      {ticket_number !== null && <span>#{ticket_number}</span>}
    </span>
  );
}
