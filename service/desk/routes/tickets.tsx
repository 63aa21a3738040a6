/** @jsxImportSource hono/jsx */
import { Hono, type Context } from 'hono';
import type { Deps } from '../../deps.ts';
import { Problem } from '../../problem.ts';
import { addAnswer, addNote } from '../../tickets/add-message.ts';
import { setCompany } from '../../tickets/customers.ts';
import {
  getDeskTicket,
  markRead,
  mergeTicket,
  setStatus,
  type MergeFault,
} from '../../tickets/handle-ticket.ts';
import { isUuid, maxLength, statuses } from '../../tickets/model.ts';
import { countTickets, searchTickets, ticketFilters } from '../../tickets/search-tickets.ts';
import { checkText, readForm } from '../form.ts';
import type { DeskEnv } from '../session.ts';
import { readNotice, type NoticeName } from '../views/notices.ts';
import type { Refused } from '../views/refused.ts';
import { TicketList } from '../views/TicketList.tsx';
import { TicketPage } from '../views/TicketPage.tsx';

const pageSize = 50;

const mergeFaults: Record<MergeFault, string> = {
  no_such_ticket: 'There is no ticket with this number.',
  same_ticket: 'This is the ticket itself: give the number of another one.',
  already_merged: 'This ticket has been merged already.',
  target_merged: 'That ticket was merged itself: give the number of the one it went into.',
};

/** The ticket list, one ticket, and what can be done with it. */
export function ticketRoutes(deps: Deps): Hono<DeskEnv> {
  const { db, now } = deps;
  const routes = new Hono<DeskEnv>();

  routes.get('/', (c) => {
    const { agent } = c.var;
    const filter = ticketFilters.find((name) => name === c.req.query('status')) ?? 'active';
    const search = c.req.query('q')?.trim() ?? '';
    const page = Math.max(1, Number(/^\d{1,6}$/.exec(c.req.query('page') ?? '')?.[0] ?? 1));
    const offset = (page - 1) * pageSize;
    const rows = searchTickets(db, agent.workspace_id, { filter, search, offset, limit: pageSize + 1 });
    const counts = countTickets(db, agent.workspace_id);
    const shown = rows.slice(0, pageSize);
    const hasMore = rows.length > pageSize;
    return c.html(
      <TicketList {...{ agent, now: now(), filter, search, page, hasMore, rows: shown, counts }} />,
    );
  });

  routes.get('/tickets/:id', (c) => {
    const ticket = findTicket(deps, c);
    markRead(db, ticket.id);
    const notice = readNotice(c.req.query('done'));
    return c.html(<TicketPage agent={c.var.agent} now={now()} ticket={ticket} notice={notice} />);
  });

  const refuse = (c: Context<DeskEnv>, refused: Refused) =>
    c.html(
      <TicketPage agent={c.var.agent} now={now()} ticket={findTicket(deps, c)} refused={refused} />,
      400,
    );

  for (const form of ['answer', 'note'] as const)
    routes.post(`/tickets/:id/${form}s`, async (c) => {
      const ticket = findTicket(deps, c);
      const { id, body } = await readForm(c);
      const checked = checkText(body, maxLength.body);
      if ('fault' in checked) return refuse(c, { form, fault: checked.fault, text: body ?? '' });
      if (id === undefined || !isUuid(id)) throw new Problem(400, 'The form was not complete.');
      const add = form === 'answer' ? addAnswer : addNote;
      const message = { id, body: checked.text, agentId: c.var.agent.id };
      const added = add(db, c.var.agent.workspace_id, ticket.id, message, now());
      if (added === 'merged')
        return refuse(c, { form: 'note', fault: 'This ticket was merged meanwhile.', text: checked.text });
      if (added === 'form_used')
        return refuse(c, { form, fault: 'This form was sent before with another text.', text: checked.text });
      deps.onEvent();
      return c.redirect(doneHref(ticket.id, form === 'answer' ? 'answered' : 'noted', '#latest'), 303);
    });

  routes.post('/tickets/:id/status', async (c) => {
    const ticket = findTicket(deps, c);
    const form = await readForm(c);
    const status = statuses.find((name) => name === form['status']);
    if (!status || !setStatus(db, c.var.agent.workspace_id, ticket.id, status, now()))
      return refuse(c, { form: 'status', fault: 'This status cannot be set.', text: '' });
    return c.redirect(doneHref(ticket.id, 'status-set'), 303);
  });

  routes.post('/tickets/:id/merge', async (c) => {
    const ticket = findTicket(deps, c);
    const text = (await readForm(c))['number']?.trim() ?? '';
    const number = /^#?(\d{1,15})$/.exec(text)?.[1];
    const by = { agentId: c.var.agent.id, now: now() };
    const fault =
      number === undefined
        ? 'no_such_ticket'
        : mergeTicket(db, c.var.agent.workspace_id, ticket.id, Number(number), by);
    if (fault) return refuse(c, { form: 'merge', fault: mergeFaults[fault], text });
    return c.redirect(doneHref(ticket.id, 'merged'), 303);
  });

  routes.post('/tickets/:id/company', async (c) => {
    const ticket = findTicket(deps, c);
    const text = (await readForm(c))['company']?.trim() ?? '';
    const checked = text === '' ? { text: null } : checkText(text, maxLength.company);
    if ('fault' in checked) return refuse(c, { form: 'company', fault: checked.fault, text });
    setCompany(db, c.var.agent.workspace_id, ticket.customer_id, checked.text);
    return c.redirect(doneHref(ticket.id, 'company-set'), 303);
  });

  return routes;
}

function findTicket({ db }: Deps, c: Context<DeskEnv>) {
  const ticket = getDeskTicket(db, c.var.agent.workspace_id, c.req.param('id') ?? '');
  if (!ticket) throw new Problem(404, 'There is no such ticket.');
  return ticket;
}

function doneHref(ticketId: string, notice: NoticeName, anchor = ''): string {
  return `/desk/tickets/${ticketId}?done=${notice}${anchor}`;
}
