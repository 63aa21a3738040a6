/** @jsxImportSource hono/jsx */
import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { countTickets, searchTickets } from '../../tickets/search-tickets.ts';
import { readListPlace } from '../list-place.ts';
import type { DeskEnv } from '../session.ts';
import { hasVersion, versionOf } from '../version.ts';
import { readNotice } from '../views/notices.ts';
import { TicketList } from '../views/TicketList.tsx';

const pageSize = 50;

/** The ticket list. Answers 204 to a page that already shows the same. */
export function ticketListRoutes({ db, now }: Deps): Hono<DeskEnv> {
  const routes = new Hono<DeskEnv>();

  routes.get('/', (c) => {
    const { agent } = c.var;
    const list = readListPlace(c);
    const page = Math.max(1, Number(/^\d{1,6}$/.exec(c.req.query('page') ?? '')?.[0] ?? 1));
    const offset = (page - 1) * pageSize;
    const found = searchTickets(db, { ...list, agent }, { offset, limit: pageSize + 1 });
    const counts = countTickets(db, agent);
    const version = versionOf([found, counts]);
    if (hasVersion(c, version)) return c.body(null, 204);
    const notice = readNotice(c.req.query('done'));
    const rows = found.slice(0, pageSize);
    const hasMore = found.length > pageSize;
    return c.html(
      <TicketList {...{ agent, now: now(), list, page, hasMore, rows, counts, version, notice }} />,
    );
  });

  return routes;
}
