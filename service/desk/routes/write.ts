import { Hono, type Context } from 'hono';
import { agentName, setOpensNext } from '../../agents/agents.ts';
import type { Deps } from '../../deps.ts';
import { Problem } from '../../problem.ts';
import { addAnswer, addNote } from '../../tickets/add-message.ts';
import { fillAnswer } from '../../tickets/fill-answer.ts';
import type { DeskTicket } from '../../tickets/handle-ticket.ts';
import { isUuid, maxLength, statuses } from '../../tickets/model.ts';
import { findSavedAnswer, listSavedAnswers, type SavedAnswer } from '../../tickets/saved-answers.ts';
import { findNextTicket } from '../../tickets/search-tickets.ts';
import { checkText, readForm } from '../form.ts';
import { readListPlace, withList } from '../list-place.ts';
import { sentences } from '../sentences/sentences.ts';
import type { DeskEnv } from '../session.ts';
import type { TicketRequests } from '../ticket-requests.tsx';

const { errors, faults } = sentences;

/** Answers, with the saved ones, and notes; to be mounted under `/tickets/:id`. */
export function writeRoutes(deps: Deps, requests: TicketRequests): Hono<DeskEnv> {
  const { db, now } = deps;
  const routes = new Hono<DeskEnv>();

  const write = async (c: Context<DeskEnv>, form: 'answer' | 'note') => {
    const ticket = requests.find(c);
    const fields = await readForm(c);
    const [id, text] =
      form === 'answer' ? [fields['id'], fields['body']] : [fields['note_id'], fields['note']];
    const opensNext = form === 'answer' && fields['next'] !== undefined;
    if (form === 'answer') setOpensNext(db, c.var.agent.id, opensNext);
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
    const list = { ...readListPlace(c), agent: c.var.agent };
    const send = db.transaction(() => {
      // The answer changes the ticket's place in its list.
      const next = opensNext ? findNextTicket(db, list, ticket.id) : null;
      const added =
        form === 'answer'
          ? addAnswer(db, c.var.agent.workspace_id, ticket.id, { ...message, newStatus, seen }, now())
          : addNote(db, c.var.agent.workspace_id, ticket.id, message, now());
      if (typeof added !== 'string') requests.keepDrafts(c, fields, form);
      return { added, next };
    });
    const { added, next } = send.immediate();
    if (added === 'merged') return refuse(faults.mergedMeanwhile);
    if (added === 'form_used') return refuse(faults.formUsed);
    if (added === 'unseen') return refuse(faults.arrivedMeanwhile, seen);
    deps.onEvent();
    requests.leave(c);
    if (opensNext)
      return c.redirect(
        next === null
          ? withList('/desk', list, { done: 'answered-last' })
          : withList(`/desk/tickets/${next}`, list, { done: 'answered-next' }),
        303,
      );
    const done = form === 'note' ? 'noted' : newStatus === 'solved' ? 'answered-solved' : 'answered';
    return requests.done(c, done, `#message-${id}`);
  };
  routes.post('/answers', (c) => write(c, 'answer'));
  routes.post('/notes', (c) => write(c, 'note'));

  const filled = (c: Context<DeskEnv>, ticket: DeskTicket, { text }: SavedAnswer) =>
    fillAnswer(text, {
      name: ticket.customer.name,
      number: ticket.ticket_number,
      agent: agentName(c.var.agent.email),
    });

  /** The saved answers as they read for this ticket, for the desk's script. */
  routes.get('/saved-answers', (c) => {
    const ticket = requests.find(c);
    const answers = listSavedAnswers(db, c.var.agent.workspace_id);
    return c.json(answers.map((answer) => ({ name: answer.name, text: filled(c, ticket, answer) })));
  });

  /** Appends a saved answer to what was written, for browsers without script. */
  routes.post('/insert', async (c) => {
    const ticket = requests.find(c);
    const fields = await readForm(c);
    requests.keepDrafts(c, fields);
    const { saved = '' } = fields;
    if (saved === '') return requests.show(c, { form: 'answer', fault: faults.noneChosen });
    const answer = findSavedAnswer(db, c.var.agent.workspace_id, saved);
    if (!answer) throw new Problem(404, errors.noSavedAnswer);
    const parts = [fields['body']?.trimEnd() ?? '', filled(c, ticket, answer)];
    requests.keepDrafts(c, { body: parts.filter((part) => part !== '').join('\n\n') });
    return requests.done(c, 'inserted', '#answer');
  });

  return routes;
}
