/** @jsxImportSource hono/jsx */
import { Hono, type Context } from 'hono';
import type { Deps } from '../../deps.ts';
import { createKey, listKeys, revokeKey } from '../../keys/keys.ts';
import { Problem } from '../../problem.ts';
import { maxLength } from '../../tickets/model.ts';
import { checkText, readForm } from '../form.ts';
import { sentences } from '../sentences/sentences.ts';
import type { DeskEnv } from '../session.ts';
import { Confirm } from '../views/Confirm.tsx';
import { Keys } from '../views/Keys.tsx';
import { readNotice } from '../views/notices.ts';
import { FullTime } from '../views/parts.tsx';

const texts = sentences.keys;

/** The workspace's API keys. */
export function keyRoutes({ db, now }: Deps): Hono<DeskEnv> {
  const routes = new Hono<DeskEnv>();

  const show = (c: Context<DeskEnv>, more: { created?: string; fault?: string } = {}) => {
    const keys = listKeys(db, c.var.agent.workspace_id);
    const notice = readNotice(c.req.query('done'));
    return c.html(
      <Keys agent={c.var.agent} now={now()} keys={keys} notice={notice} {...more} />,
      more.fault ? 400 : 200,
    );
  };

  routes.get('/', (c) => show(c));

  routes.post('/', async (c) => {
    const checked = checkText((await readForm(c))['label'], maxLength.label);
    if ('fault' in checked) return show(c, checked);
    return show(c, { created: createKey(db, c.var.agent.workspace_id, checked.text, now()) });
  });

  routes.get('/:id/revoke', (c) => {
    const key = listKeys(db, c.var.agent.workspace_id).find(({ id }) => id === c.req.param('id'));
    if (!key || key.revoked_at !== null) throw new Problem(404, sentences.errors.noKey);
    const shownKey = <code>dsk_…{key.hint}</code>;
    return c.html(
      <Confirm
        agent={c.var.agent}
        section="keys"
        title={texts.revokeTitle(key.label)}
        action={`/desk/keys/${key.id}/revoke`}
        label={texts.revoke.label}
        back="/desk/keys"
      >
        <p>
          {key.last_used_at === null
            ? texts.revokeUnused(shownKey)
            : texts.revokeUsed(shownKey, <FullTime at={key.last_used_at} />)}
        </p>
        <p>{texts.revokeEffect}</p>
      </Confirm>,
    );
  });

  routes.post('/:id/revoke', (c) => {
    revokeKey(db, c.var.agent.workspace_id, c.req.param('id'), now());
    return c.redirect('/desk/keys?done=key-revoked', 303);
  });

  return routes;
}
