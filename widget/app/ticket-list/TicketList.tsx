import type { ComponentChildren } from 'preact';
import type { TicketSummary } from '../../../bff/contract/tickets.ts';
import { withOwnWords } from './latest.ts';
import { refOf } from './names.ts';
import { TicketStatus } from './TicketStatus.tsx';
import { brandOf } from '../ui/View.tsx';
import type { KnownProps } from '../shared.ts';
import { agoText, fullTime } from '../i18n/panel-times.ts';

/** Tickets to choose from, unread ones marked. */
export function TicketList({ app, children }: KnownProps & { children: ComponentChildren }) {
  const { s, list, tickets, outbox } = app;
  return (
    <ul class="tickets" aria-label={s.yourTickets}>
      {children}
      {list.value.map((ticket) => (
        <li key={refOf(ticket)}>
          <TicketRow
            app={app}
            ticket={withOwnWords(ticket, tickets.thread(refOf(ticket)), outbox.sends.value)}
          />
        </li>
      ))}
    </ul>
  );
}

function TicketRow({ app, ticket }: KnownProps & { ticket: TicketSummary }) {
  const { s, view, count, now, drafts } = app;
  const { unread, preview, subject } = ticket;
  const ref = refOf(ticket);
  const at = ticket.updated_at ?? ticket.created_at;
  const draft = ticket.closed ? '' : drafts.reply(ref).value.trim();
  const author = preview?.author_type === 'agent' ? brandOf(app) : s.you;
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
      {(draft || preview) && (
        <span class="ticket-preview">
          <b>{draft ? s.draft : author}</b> <span>{draft ? draft.slice(0, 100) : preview?.text}</span>
        </span>
      )}
      <span class="ticket-line">
        <TicketStatus app={app} ticket={ticket} />
        {unread > 0 && <span class="chip unread">{count(s.unread, unread)}</span>}
      </span>
    </button>
  );
}
