import { Hono } from 'hono';
import type { Deps } from '../../deps.ts';
import { setCompany } from '../../tickets/customers.ts';
import { setStatus } from '../../tickets/handle-ticket.ts';
import { maxLength, statuses } from '../../tickets/model.ts';
import { checkText, readForm } from '../form.ts';
import { sentences } from '../sentences/sentences.ts';
import type { DeskEnv } from '../session.ts';
import { createTicketRequests } from '../ticket-requests.tsx';

const { faults } = sentences;

/** One ticket, its status and its customer's company; to be mounted under `/tickets/:id`. */
export function ticketRoutes(deps: Deps): Hono<DeskEnv> {
  const { db, now } = deps;
  const routes = new Hono<DeskEnv>();
  const requests = createTicketRequests(deps);

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
      `/desk/tickets/${c.req.param('id')}/${number.trim() === '' ? 'company' : 'merge'}`,
      307,
    );
  });

  return routes;
}
