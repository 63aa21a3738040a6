import { Hono, type Context } from 'hono';
import type { Deps } from '../../deps.ts';
import { Problem } from '../../problem.ts';
import { addAnswer, addNote } from '../../tickets/add-message.ts';
import { setCompany } from '../../tickets/customers.ts';
import { setStatus } from '../../tickets/handle-ticket.ts';
import { isUuid, maxLength, statuses } from '../../tickets/model.ts';
import { checkText, readForm } from '../form.ts';
import { sentences } from '../sentences/sentences.ts';
import type { DeskEnv } from '../session.ts';
import { createTicketRequests } from '../ticket-requests.tsx';

const { errors, faults } = sentences;

/** One ticket, and what its page's form does, but for merging; to be mounted under `/tickets/:id`. */
export function ticketRoutes(deps: Deps): Hono<DeskEnv> {
  const { db, now } = deps;
  const routes = new Hono<DeskEnv>();
  const requests = createTicketRequests(deps);

  routes.get('/', (c) => requests.show(c));

  const write = async (c: Context<DeskEnv>, form: 'answer' | 'note') => {
    const ticket = requests.find(c);
    const fields = await readForm(c);
    const [id, text] =
      form === 'answer' ? [fields['id'], fields['body']] : [fields['note_id'], fields['note']];
    const refuse = (fault: string) => {
      requests.keepDrafts(c, fields);
      return requests.show(c, { form, fault });
    };
    const checked = checkText(text, maxLength.body);
    if ('fault' in checked) return refuse(checked.fault);
    if (id === undefined || !isUuid(id)) throw new Problem(400, errors.formIncomplete);
    const message = { id, body: checked.text, agentId: c.var.agent.id };
    const newStatus = statuses.find((name) => name === fields['new_status']);
    const send = db.transaction(() => {
      const added =
        form === 'answer'
          ? addAnswer(db, c.var.agent.workspace_id, ticket.id, { ...message, newStatus }, now())
          : addNote(db, c.var.agent.workspace_id, ticket.id, message, now());
      if (typeof added !== 'string') requests.keepDrafts(c, fields, form);
      return added;
    });
    const added = send.immediate();
    if (added === 'merged') return refuse(faults.mergedMeanwhile);
    if (added === 'form_used') return refuse(faults.formUsed);
    deps.onEvent();
    const done = form === 'note' ? 'noted' : newStatus === 'solved' ? 'answered-solved' : 'answered';
    return requests.done(c, done, `#message-${id}`);
  };
  routes.post('/answers', (c) => write(c, 'answer'));
  routes.post('/notes', (c) => write(c, 'note'));

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
