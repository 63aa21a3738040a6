import type { ComponentChildren } from 'preact';
import type { Ticket, TicketSummary } from '../../../shared/contract/tickets.ts';
import { refOf } from './names.ts';
import { TicketStatus } from '../ui/TicketStatus.tsx';
import { BrandMark, brandOf } from '../ui/View.tsx';
import type { AppProps } from '../app.ts';
import { readMessage } from '../../../shared/text/message.ts';
import { plainText } from '../../../shared/text/plain.ts';
import { showConversation } from '../thread/viewed.ts';
import type { Send } from '../outbox/sends.ts';

interface TicketListProps extends AppProps {
  title: string;
  tickets: readonly TicketSummary[];
  /** The first items. */
  children?: ComponentChildren;
}

/** Tickets to choose from, unread ones marked. */
export function TicketList({ app, title, tickets: listed, children }: TicketListProps) {
  const { list, tickets, outbox } = app;
  return (
    <>
      <h2 class="label">{title}</h2>
      <ul class="tickets" aria-label={title}>
        {children}
        {listed.map((ticket) => (
          <li key={refOf(ticket)}>
            <TicketRow
              app={app}
              isLatest={ticket === list.value[0] && !ticket.colleague}
              ticket={withOwnWords(ticket, tickets.thread(refOf(ticket)), outbox.sends.value)}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

function TicketRow({ app, ticket, isLatest }: AppProps & { ticket: TicketSummary; isLatest: boolean }) {
  const { s, view, count, agoText, fullTime, now, drafts } = app;
  const { unread, preview, subject } = ticket;
  const ref = refOf(ticket);
  const at = ticket.updated_at ?? ticket.created_at;
  const draft = ticket.closed ? '' : drafts.reply(ref).value.trim();
  const author = preview?.author_type === 'agent' ? brandOf(app) : ticket.colleague ? s.colleague : s.you;
  return (
    <button
      type="button"
      class={`ticket ${unread > 0 ? 'has-unread' : ''} ${isLatest ? 'latest' : ''}`}
      data-focus={view.lastRef.value === ref && 'row'}
      onClick={() => view.go({ name: 'thread', ref })}
    >
      {isLatest && <BrandMark app={app} />}
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
          <b>{draft ? s.draft : author}</b>{' '}
          <span>
            {draft ? draft.slice(0, 100) : preview?.text || app.site?.attachedText(app, preview?.files)}
          </span>
        </span>
      )}
      <span class="ticket-line">
        <TicketStatus app={app} ticket={ticket} />
        {unread > 0 && <span class="chip unread">{count(s.unread, unread)}</span>}
      </span>
    </button>
  );
}

/**
 * A ticket of the list with its newest message as the preview if that is the customer's, which the list of the BFF may
 * lack. Times are not compared, since the customer's clock may be wrong. An unread answer is newer.
 */
export function withOwnWords(
  summary: TicketSummary,
  ticket: Ticket | undefined,
  sends: readonly Send[],
): TicketSummary {
  const last = showConversation(summary, ticket, sends).at(-1);
  if (last?.author_type !== 'customer' || last.hidden || last.state === 'rejected' || summary.unread > 0)
    return summary;
  const text = plainText(readMessage(last.body, 'customer'), { isShort: true });
  return { ...summary, preview: { author_type: 'customer', text, files: last.files } };
}
