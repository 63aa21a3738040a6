/** @jsxImportSource hono/jsx */
import { readMessage } from '../../../shared/text/message.ts';
import { plainText } from '../../../shared/text/plain.ts';
import type { Agent } from '../../agents/agents.ts';
import { ticketFilters, type TicketFilter, type TicketRow } from '../../tickets/search-tickets.ts';
import { firstFilter, withList, type ListPlace } from '../list-place.ts';
import { sentences } from '../sentences/sentences.ts';
import { versionOf } from '../version.ts';
import type { NoticeName } from './notices.ts';
import { Page } from './Page.tsx';
import { AgentName, Ago, Empty, NeedsAnswerMark, PriorityMark, StatusMark } from './parts.tsx';
import { SearchForm } from './SearchForm.tsx';

interface Props {
  agent: Agent;
  now: Date;
  list: ListPlace;
  page: number;
  hasMore: boolean;
  rows: TicketRow[];
  counts: Record<TicketFilter, number>;
  version: string;
  notice?: NoticeName | undefined;
}

const texts = sentences.tickets;

/** A page of the list; its first page has no number. */
const listHref = (list: ListPlace, page = 1): string =>
  withList('/desk', list, page > 1 ? { page: String(page) } : {});

export function TicketList(props: Props) {
  const { agent, now, list, page, hasMore, rows, counts, version, notice } = props;
  const { filter, search } = list;
  const waiting = counts[firstFilter];
  return (
    <Page
      title={waiting > 0 ? texts.titleWaiting(waiting) : sentences.sections.tickets}
      section="tickets"
      agent={agent}
      notice={notice}
      // A search reads all texts, which takes too long for every few seconds.
      live={search === '' ? { source: listHref(list, page), version } : undefined}
    >
      <div class="head">
        <h1>{sentences.sections.tickets}</h1>
        <SearchForm action="/desk" search={search} label={texts.search} hint={texts.searchHint}>
          {/* A search looks everywhere unless a status is chosen. */}
          <input type="hidden" name="status" value={filter === firstFilter ? 'all' : filter} />
        </SearchForm>
      </div>
      <nav class="tabs" id="tabs" aria-label={texts.filterBy}>
        {ticketFilters.map((name) => (
          <a href={listHref({ filter: name, search })} aria-current={name === filter ? 'true' : undefined}>
            {texts.filters[name]} <span class="count">{counts[name]}</span>
          </a>
        ))}
      </nav>
      <div id="list">
        {rows.length === 0 ? (
          <NoTickets isSearch={search !== ''} isFirst={filter === firstFilter} />
        ) : (
          <ul class="rows tickets">
            {rows.map((row) => (
              <Row {...{ row, now, agent, list }} />
            ))}
          </ul>
        )}
        {page > 1 || hasMore ? (
          <nav class="pages" aria-label={texts.pages}>
            {page > 1 ? <a href={listHref(list, page - 1)}>{texts.newer}</a> : null}
            {hasMore ? <a href={listHref(list, page + 1)}>{texts.older}</a> : null}
          </nav>
        ) : null}
      </div>
    </Page>
  );
}

function Row({ row, now, agent, list }: { row: TicketRow } & Pick<Props, 'now' | 'agent' | 'list'>) {
  // In the first list, all tickets need an answer.
  const isMarked = list.filter !== firstFilter;
  const { assignee_email: assignee } = row;
  const last = plainText(readMessage(row.last_text, row.last_author), { isShort: true });
  const classes = row.needs_answer ? `waiting raised-${row.priority}` : undefined;
  return (
    <li class={classes} id={`ticket-${row.id}`} data-version={versionOf(row)}>
      <span class="from">{row.customer_name ?? row.customer_email}</span>
      <span class="about">
        <a href={withList(`/desk/tickets/${row.id}`, list)}>{row.subject.trim() || sentences.noSubject}</a>
        <span class="preview">{row.last_author === 'agent' ? texts.answer(last) : last}</span>
      </span>
      <span class="marks">
        {assignee === null ? null : (
          <span class="assignee">
            <span class="unseen">{texts.assignedTo} </span>
            <AgentName email={assignee} isYou={assignee === agent.email} />
          </span>
        )}
        {isMarked && row.needs_answer ? <NeedsAnswerMark /> : null}
        <PriorityMark priority={row.priority} />
        <StatusMark status={row.status} isMerged={row.is_merged} />
      </span>
      <span class="number">#{row.ticket_number}</span>
      <Ago at={row.updated_at} now={now} />
    </li>
  );
}

function NoTickets({ isSearch, isFirst }: { isSearch: boolean; isFirst: boolean }) {
  if (isSearch) return <Empty {...texts.noneFound} />;
  return <Empty {...(isFirst ? texts.noneWaiting : texts.noneHere)} />;
}
