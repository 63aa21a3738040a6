/** @jsxImportSource hono/jsx */
import type { Context } from 'hono';
import type { Deps } from '../deps.ts';
import { Problem } from '../problem.ts';
import { listOtherTickets } from '../tickets/customers.ts';
import { getDrafts, saveDrafts } from '../tickets/drafts.ts';
import { getDeskTicket, type DeskTicket } from '../tickets/handle-ticket.ts';
import { sentences } from './sentences/sentences.ts';
import type { DeskEnv } from './session.ts';
import { hasVersion, versionOf } from './version.ts';
import { readNotice, type NoticeName } from './views/notices.ts';
import type { Refused } from './views/ticket/refused.ts';
import { TicketPage } from './views/ticket/TicketPage.tsx';

/** How many of a customer's other tickets are shown beside one. */
const shownOthers = 8;

/** What the routes of one ticket have in common. */
export function createTicketRequests({ db, now }: Deps) {
  const find = (c: Context<DeskEnv>): DeskTicket => {
    const ticket = getDeskTicket(db, c.var.agent.workspace_id, c.req.param('id') ?? '');
    if (!ticket) throw new Problem(404, sentences.errors.noTicket);
    return ticket;
  };
  const owner = (c: Context<DeskEnv>) => ({ agentId: c.var.agent.id, ticketId: c.req.param('id') ?? '' });

  /** The ticket's page; 204 to a page that shows the same already. */
  const show = (c: Context<DeskEnv>, refused?: Refused) => {
    const ticket = find(c);
    const found = listOtherTickets(db, ticket.customer_id, ticket.id, shownOthers + 1);
    const others = { tickets: found.slice(0, shownOthers), hasMore: found.length > shownOthers };
    const version = versionOf([ticket, others]);
    if (hasVersion(c, version)) return c.body(null, 204);
    const drafts = getDrafts(db, owner(c));
    const notice = readNotice(c.req.query('done'));
    return c.html(
      <TicketPage
        {...{ agent: c.var.agent, now: now(), ticket, others, version, drafts, notice, refused }}
      />,
      refused ? 400 : 200,
    );
  };

  return {
    find,
    show,
    /** Keeps what was written, so that no button empties what another one sends; `sent` is no draft any more. */
    keepDrafts(c: Context<DeskEnv>, fields: Record<string, string>, sent?: 'answer' | 'note') {
      const { body: answer, note } = fields;
      saveDrafts(db, owner(c), {
        ...(answer === undefined ? {} : { answer }),
        ...(note === undefined ? {} : { note }),
        ...(sent && { [sent]: '' }),
      });
    },
    done: (c: Context<DeskEnv>, notice: NoticeName, anchor = '') =>
      c.redirect(`/desk/tickets/${c.req.param('id')}?done=${notice}${anchor}`, 303),
  };
}
