/** @jsxImportSource hono/jsx */
import type { Agent } from '../../agents/agents.ts';
import { ticketFilters, type TicketFilter, type TicketRow } from '../../tickets/search-tickets.ts';
import { Page } from './Page.tsx';
import { Ago, Empty, PriorityMark, StatusMark } from './parts.tsx';

interface Props {
  agent: Agent;
  now: Date;
  filter: TicketFilter;
  search: string;
  page: number;
  hasMore: boolean;
  rows: TicketRow[];
  counts: Record<TicketFilter, number>;
}

/** A link to the list as it is, with some of it changed. */
function listHref(query: { filter: TicketFilter; search: string; page?: number }): string {
  const params = new URLSearchParams();
  if (query.filter !== 'active') params.set('status', query.filter);
  if (query.search !== '') params.set('q', query.search);
  if (query.page !== undefined && query.page > 1) params.set('page', String(query.page));
  return params.size > 0 ? `/desk?${params}` : '/desk';
}

export function TicketList({ agent, now, filter, search, page, hasMore, rows, counts }: Props) {
  return (
    <Page title="Tickets" section="Tickets" agent={agent}>
      <div class="head">
        <h1>Tickets</h1>
        <search>
          <form class="search" method="get" action="/desk">
            <input
              type="search"
              name="q"
              value={search}
              aria-label="Search tickets"
              placeholder="Number, subject, email or text"
            />
            {/* A search looks everywhere unless a status is chosen. */}
            <input type="hidden" name="status" value={filter === 'active' ? 'all' : filter} />
            <button class="plain" type="submit">
              Search
            </button>
          </form>
        </search>
      </div>
      <nav class="tabs" aria-label="Status">
        {ticketFilters.map((name) => (
          <a href={listHref({ filter: name, search })} aria-current={name === filter ? 'true' : undefined}>
            {name[0]!.toUpperCase() + name.slice(1)} <span class="count">{counts[name]}</span>
          </a>
        ))}
      </nav>
      {rows.length === 0 ? (
        <NoTickets isSearch={search !== ''} isActive={filter === 'active'} />
      ) : (
        <ul class="rows tickets">
          {rows.map((row) => (
            <Row row={row} now={now} />
          ))}
        </ul>
      )}
      {page > 1 || hasMore ? (
        <nav class="pages" aria-label="Pages">
          {page > 1 ? <a href={listHref({ filter, search, page: page - 1 })}>Newer</a> : null}
          {hasMore ? <a href={listHref({ filter, search, page: page + 1 })}>Older</a> : null}
        </nav>
      ) : null}
    </Page>
  );
}

function Row({ row, now }: { row: TicketRow; now: Date }) {
  return (
    <li class={row.is_unread ? 'unread' : undefined}>
      <span class="from">{row.customer_name ?? row.customer_email}</span>
      <span class="about">
        <a href={`/desk/tickets/${row.id}`}>{row.subject.trim() || '(no subject)'}</a>
        <span class="preview">
          {row.last_author === 'agent' ? 'Answer: ' : ''}
          {row.last_text}
        </span>
      </span>
      <span class="marks">
        {row.is_unread ? <span class="fresh">{row.status === 'new' ? 'New' : 'New reply'}</span> : null}
        <PriorityMark priority={row.priority} />
        {row.status === 'new' && row.is_unread ? null : (
          <StatusMark status={row.status} isMerged={row.is_merged} />
        )}
      </span>
      <span class="number">#{row.ticket_number}</span>
      <Ago at={row.updated_at} now={now} />
    </li>
  );
}

function NoTickets({ isSearch, isActive }: { isSearch: boolean; isActive: boolean }) {
  if (isSearch) return <Empty title="Nothing found">Try a shorter word, or another status.</Empty>;
  if (isActive) return <Empty title="All done">No ticket needs an answer. New ones appear here.</Empty>;
  return <Empty title="No tickets here">Nothing has this status at the moment.</Empty>;
}
