/** @jsxImportSource hono/jsx */
import type { Context } from 'hono';
import type { Deps } from '../deps.ts';
import { Problem } from '../problem.ts';
import { listOtherTickets } from '../tickets/customers.ts';
import { getOpensNext } from '../agents/agents.ts';
import { getDrafts, saveDrafts } from '../tickets/drafts.ts';
import { getDeskTicket, type DeskTicket } from '../tickets/handle-ticket.ts';
import { listSavedAnswers } from '../tickets/saved-answers.ts';
import { readListPlace, withList } from './list-place.ts';
import { createPresence } from './presence.ts';
import { sentences } from './sentences/sentences.ts';
import type { DeskEnv } from './session.ts';
import { hasVersion, versionOf } from './version.ts';
import { readNotice, type NoticeName } from './views/notices.ts';
import type { Refused } from './views/ticket/refused.ts';
import { TicketPage } from './views/ticket/TicketPage.tsx';

/** How many of a customer's other tickets are shown beside one. */
const shownOthers = 5;

export type TicketRequests = ReturnType<typeof createTicketRequests>;

/** What the routes of one ticket have in common. */
export function createTicketRequests({ db, now, publicUrl, fileHosts }: Deps) {
  const presence = createPresence(now);
  const find = (c: Context<DeskEnv>): DeskTicket => {
    const ticket = getDeskTicket(db, c.var.agent.workspace_id, c.req.param('id') ?? '');
    if (!ticket) throw new Problem(404, sentences.errors.noTicket);
    return ticket;
  };
  const owner = (c: Context<DeskEnv>) => ({ agentId: c.var.agent.id, ticketId: c.req.param('id') ?? '' });

  /** Notes that the agent is here, unless a hidden tab asks; answers which others are. */
  const findOthersHere = (c: Context<DeskEnv>, ticketId: string) => {
    const { agent } = c.var;
    const activity = c.req.header('x-desk-here');
    const isLoad = activity === undefined;
    if (activity !== 'away')
      presence.mark(ticketId, agent, activity === 'writing' ? 'writing' : 'looking', isLoad);
    return presence.others(ticketId, agent);
  };

  /** The ticket's page; 204 to a page that shows the same already. */
  const show = (c: Context<DeskEnv>, refused?: Refused) => {
    const { agent } = c.var;
    const ticket = find(c);
    const others = listOtherTickets(db, ticket.customer_id, ticket.id, shownOthers);
    const here = findOthersHere(c, ticket.id);
    const version = versionOf([ticket, others], here);
    if (hasVersion(c, version)) return c.body(null, 204);
    return c.html(
      <TicketPage
        {...{ agent, now: now(), ticket, others, here, version, refused }}
        list={readListPlace(c)}
        drafts={getDrafts(db, owner(c))}
        shownFrom={[new URL(publicUrl).origin, ...fileHosts]}
        savedAnswers={listSavedAnswers(db, agent.workspace_id)}
        opensNext={getOpensNext(db, agent.id)}
        notice={readNotice(c.req.query('done'))}
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
    /** The agent does not write here any more. */
    leave: (c: Context<DeskEnv>) => presence.leave(c.req.param('id') ?? '', c.var.agent),
    done: (c: Context<DeskEnv>, notice: NoticeName, anchor = '') =>
      c.redirect(
        withList(`/desk/tickets/${c.req.param('id')}`, readListPlace(c), { done: notice }) + anchor,
        303,
      ),
  };
}
