/** @jsxImportSource hono/jsx */
import { Hono, type Context } from 'hono';
import type { Deps } from '../../deps.ts';
import { Problem } from '../../problem.ts';
import { maxLength } from '../../tickets/model.ts';
import {
  findSavedAnswer,
  listSavedAnswers,
  removeSavedAnswer,
  saveAnswer,
  savedAnswerLimit,
} from '../../tickets/saved-answers.ts';
import { checkText, readForm } from '../form.ts';
import { sentences } from '../sentences/sentences.ts';
import type { DeskEnv } from '../session.ts';
import { Confirm } from '../views/Confirm.tsx';
import { readNotice } from '../views/notices.ts';
import { EditSavedAnswer, SavedAnswers, type TypedAnswer } from '../views/SavedAnswers.tsx';

const { savedAnswers: texts, errors, faults } = sentences;

/** The texts that the workspace's agents use again. */
export function savedAnswerRoutes({ db }: Deps): Hono<DeskEnv> {
  const routes = new Hono<DeskEnv>();

  const find = (c: Context<DeskEnv>) => {
    const answer = findSavedAnswer(db, c.var.agent.workspace_id, c.req.param('id') ?? '');
    if (!answer) throw new Problem(404, errors.noSavedAnswer);
    return answer;
  };
  const show = (c: Context<DeskEnv>, typed?: TypedAnswer) =>
    c.html(
      <SavedAnswers
        agent={c.var.agent}
        answers={listSavedAnswers(db, c.var.agent.workspace_id)}
        typed={typed}
        notice={readNotice(c.req.query('done'))}
      />,
      typed ? 400 : 200,
    );
  const edit = (c: Context<DeskEnv>, id: string, typed: TypedAnswer) =>
    c.html(<EditSavedAnswer agent={c.var.agent} id={id} typed={typed} />, typed.faults ? 400 : 200);

  /** Saves the form's answer; what was typed and the faults, or null when done. */
  const save = async (c: Context<DeskEnv>, id: string | null): Promise<TypedAnswer | null> => {
    const { name = '', text = '' } = await readForm(c);
    const checkedName = checkText(name.replace(/\s+/g, ' '), maxLength.saved_name);
    const checkedText = checkText(text, maxLength.saved_text);
    const refuse = (found: NonNullable<TypedAnswer['faults']>) => ({ name, text, faults: found });
    if ('fault' in checkedName || 'fault' in checkedText)
      return refuse({
        name: 'fault' in checkedName ? checkedName.fault : undefined,
        text: 'fault' in checkedText ? checkedText.fault : undefined,
      });
    const answer = { id, name: checkedName.text, text: checkedText.text };
    const fault = saveAnswer(db, c.var.agent.workspace_id, answer);
    if (fault === 'not_found') throw new Problem(404, errors.noSavedAnswer);
    if (fault === 'name_taken') return refuse({ name: faults.nameTaken });
    if (fault === 'full') return refuse({ name: faults.tooManyAnswers(savedAnswerLimit) });
    return null;
  };

  routes.get('/', (c) => show(c));

  routes.post('/', async (c) => {
    const refused = await save(c, null);
    return refused ? show(c, refused) : c.redirect('/desk/saved-answers?done=answer-saved', 303);
  });

  routes.get('/:id', (c) => {
    const { id, ...answer } = find(c);
    return edit(c, id, answer);
  });

  routes.post('/:id', async (c) => {
    const { id } = find(c);
    const refused = await save(c, id);
    return refused ? edit(c, id, refused) : c.redirect('/desk/saved-answers?done=answer-saved', 303);
  });

  routes.get('/:id/remove', (c) => {
    const { id, name } = find(c);
    return c.html(
      <Confirm
        agent={c.var.agent}
        section="answers"
        title={texts.removeTitle(name)}
        action={`/desk/saved-answers/${id}/remove`}
        label={texts.remove.label}
        back="/desk/saved-answers"
      >
        <p>{texts.removeEffect}</p>
      </Confirm>,
    );
  });

  routes.post('/:id/remove', (c) => {
    removeSavedAnswer(db, c.var.agent.workspace_id, c.req.param('id'));
    return c.redirect('/desk/saved-answers?done=answer-removed', 303);
  });

  return routes;
}
