import { Hono, type Context } from 'hono';
import type { Deps } from '../../deps.ts';
import { Problem } from '../../problem.ts';
import { addAnswer, addNote } from '../../tickets/add-message.ts';
import { isUuid, maxLength, statuses } from '../../tickets/model.ts';
import { checkText, readForm } from '../form.ts';
import { sentences } from '../sentences/sentences.ts';
import type { DeskEnv } from '../session.ts';
import { createTicketRequests } from '../ticket-requests.tsx';

const { errors, faults } = sentences;

/** Answers and notes; to be mounted under `/tickets/:id`. */
export function writeRoutes(deps: Deps): Hono<DeskEnv> {
  const { db, now } = deps;
  const routes = new Hono<DeskEnv>();
  const requests = createTicketRequests(deps);

  const write = async (c: Context<DeskEnv>, form: 'answer' | 'note') => {
    const ticket = requests.find(c);
    const fields = await readForm(c);
    const [id, text] =
      form === 'answer' ? [fields['id'], fields['body']] : [fields['note_id'], fields['note']];
    const refuse = (fault: string, seen?: string) => {
      requests.keepDrafts(c, fields);
      return requests.show(c, { form, fault, seen });
    };
    const checked = checkText(text, maxLength.body);
    if ('fault' in checked) return refuse(checked.fault);
    if (id === undefined || !isUuid(id)) throw new Problem(400, errors.formIncomplete);
    const message = { id, body: checked.text, agentId: c.var.agent.id };
    const { seen } = fields;
    const newStatus = statuses.find((name) => name === fields['new_status']);
    const send = db.transaction(() => {
      const added =
        form === 'answer'
          ? addAnswer(db, c.var.agent.workspace_id, ticket.id, { ...message, newStatus, seen }, now())
          : addNote(db, c.var.agent.workspace_id, ticket.id, message, now());
      if (typeof added !== 'string') requests.keepDrafts(c, fields, form);
      return added;
    });
    const added = send.immediate();
    if (added === 'merged') return refuse(faults.mergedMeanwhile);
    if (added === 'form_used') return refuse(faults.formUsed);
    if (added === 'unseen') return refuse(faults.arrivedMeanwhile, seen);
    deps.onEvent();
    const done = form === 'note' ? 'noted' : newStatus === 'solved' ? 'answered-solved' : 'answered';
    return requests.done(c, done, `#message-${id}`);
  };
  routes.post('/answers', (c) => write(c, 'answer'));
  routes.post('/notes', (c) => write(c, 'note'));

  return routes;
}
