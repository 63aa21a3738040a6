/** @jsxImportSource hono/jsx */
import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { countTickets, searchTickets, ticketFilters } from '../../tickets/search-tickets.ts';
import type { DeskEnv } from '../session.ts';
import { hasVersion, versionOf } from '../version.ts';
import { TicketList } from '../views/TicketList.tsx';

const pageSize = 50;

/** The ticket list. Answers 204 to a page that already shows the same. */
export function ticketListRoutes({ db, now }: Deps): Hono<DeskEnv> {
  const routes = new Hono<DeskEnv>();

  routes.get('/', (c) => {
    const { agent } = c.var;
    const filter = ticketFilters.find((name) => name === c.req.query('status')) ?? 'needs-answer';
    const search = c.req.query('q')?.trim() ?? '';
    const page = Math.max(1, Number(/^\d{1,6}$/.exec(c.req.query('page') ?? '')?.[0] ?? 1));
    const offset = (page - 1) * pageSize;
    const found = searchTickets(db, agent.workspace_id, { filter, search, offset, limit: pageSize + 1 });
    const counts = countTickets(db, agent.workspace_id);
    const version = versionOf([found, counts]);
    if (hasVersion(c, version)) return c.body(null, 204);
    const rows = found.slice(0, pageSize);
    const hasMore = found.length > pageSize;
    return c.html(
      <TicketList {...{ agent, now: now(), filter, search, page, hasMore, rows, counts, version }} />,
    );
  });

  return routes;
}
