import type { TicketSummary } from '../../../bff/contract/tickets.ts';
import { withOwnWords } from '../state/latest.ts';
import { byTime, refOf } from '../state/tickets.ts';
import type { SharedProps } from './shared.ts';
import { agoText, fullTime } from './times.ts';

/** Tickets to choose from, the last spoken in first, unread ones marked. */
export function TicketList({ app }: SharedProps) {
  const { s, list, tickets, outbox } = app;
  const rows = list.value
    .map((ticket) => withOwnWords(ticket, tickets.thread(refOf(ticket)), outbox.sends.value))
    .sort((a, b) => byTime(b, a));
  return (
    <ul class="tickets" aria-label={s.yourTickets}>
      {rows.map((ticket) => (
        <li key={refOf(ticket)}>
          <TicketRow app={app} ticket={ticket} />
        </li>
      ))}
    </ul>
  );
}

function TicketRow({ app, ticket }: SharedProps & { ticket: TicketSummary }) {
  const { s, view, count, now } = app;
  const { unread, preview, subject } = ticket;
  const ref = refOf(ticket);
  const at = ticket.updated_at ?? ticket.created_at;
  return (
    <button
      type="button"
      class={unread > 0 ? 'ticket has-unread' : 'ticket'}
      data-focus={view.lastRef.value === ref && 'row'}
      onClick={() => view.go({ name: 'thread', ref })}
    >
      <span class="ticket-line">
        <span class="ticket-subject">{subject}</span>
        {at && (
          <time dateTime={at} title={fullTime(at)}>
            {agoText(at, now.value)}
          </time>
        )}
      </span>
      {preview && (
        <span class="ticket-preview">
          <b>{preview.author_type === 'agent' ? s.support : s.you}</b> <span>{preview.text}</span>
        </span>
      )}
      <span class="ticket-line">
        <TicketStatus app={app} ticket={ticket} />
        {unread > 0 && <span class="chip unread">{count(s.unread, unread)}</span>}
      </span>
    </button>
  );
}

/** Status and number as the service gives them; while it has not, how far the ticket has come. */
export function TicketStatus({ app: { s, statusText }, ticket }: SharedProps & { ticket: TicketSummary }) {
  const { state, status, ticket_number } = ticket;
  return (
    <span class="status">
      <span class={`chip ${state}`}>{state === 'done' ? statusText(status) : s.states[state]}</span>
      {ticket_number !== null && <span>#{ticket_number}</span>}
    </span>
  );
}
