import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { setCompany } from '../../tickets/customers.ts';
import { assignTicket, setStatus } from '../../tickets/handle-ticket.ts';
import { maxLength, statuses } from '../../tickets/model.ts';
import { checkText, readForm } from '../form.ts';
import { sentences } from '../sentences/sentences.ts';
import type { DeskEnv } from '../session.ts';
import type { TicketRequests } from '../ticket-requests.tsx';

const { faults } = sentences;

/** One ticket, its status, its assignee and its customer's company; to be mounted under `/tickets/:id`. */
export function ticketRoutes(deps: Deps, requests: TicketRequests): Hono<DeskEnv> {
  const { db, now } = deps;
  const routes = new Hono<DeskEnv>();

  routes.get('/', (c) => requests.show(c));

  routes.post('/status', async (c) => {
    const ticket = requests.find(c);
    const fields = await readForm(c);
    requests.keepDrafts(c, fields);
    const status = statuses.find((name) => name === fields['status']);
    if (!status || !setStatus(db, c.var.agent.workspace_id, ticket.id, status, now()))
      return requests.show(c, { form: 'status', fault: faults.status });
    return requests.done(c, 'status-set');
  });

  routes.post('/assign', async (c) => {
    const ticket = requests.find(c);
    const fields = await readForm(c);
    requests.keepDrafts(c, fields);
    const { agent } = c.var;
    const after = fields['assign'] === 'nobody' ? null : agent.id;
    const before = fields['assignee'] || null;
    if (!assignTicket(db, agent.workspace_id, ticket.id, { before, after }))
      return requests.show(c, { form: 'assign', fault: faults.assignedMeanwhile });
    return requests.done(c, after === null ? 'unassigned' : 'assigned');
  });

  routes.post('/company', async (c) => {
    const ticket = requests.find(c);
    const fields = await readForm(c);
    requests.keepDrafts(c, fields);
    const text = fields['company']?.trim() ?? '';
    const checked = text === '' ? { text: null } : checkText(text, maxLength.company);
    if ('fault' in checked) return requests.show(c, { form: 'company', fault: checked.fault, text });
    setCompany(db, c.var.agent.workspace_id, ticket.customer_id, checked.text);
    return requests.done(c, 'company-set');
  });

  // Enter in a field of one line presses the form's first button, which must never be the one that sends.
  routes.post('/enter', async (c) => {
    const { number = '' } = await readForm(c);
    return c.redirect(
      `/desk/tickets/${c.req.param('id')}/${number.trim() === '' ? 'company' : 'merge'}${new URL(c.req.url).search}`,
      307,
    );
  });

  return routes;
}
