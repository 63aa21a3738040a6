/** @jsxImportSource hono/jsx */
import { Hono, type Context } from 'hono';
import type { Deps } from '../../deps.ts';
import { recentDeliveries } from '../../webhooks/deliveries.ts';
import {
  createEndpoint,
  deleteEndpoint,
  endpointFault,
  listEndpoints,
  setActive,
} from '../../webhooks/endpoints.ts';
import { eventTypes } from '../../webhooks/events.ts';
import { Problem } from '../../problem.ts';
import { readFields } from '../form.ts';
import { sentences } from '../sentences/sentences.ts';
import type { DeskEnv } from '../session.ts';
import { Confirm } from '../views/Confirm.tsx';
import { readNotice } from '../views/notices.ts';
import { Webhooks } from '../views/Webhooks.tsx';

const texts = sentences.webhooks;
const shownDeliveries = 50;

interface Refused {
  fault: string;
  url: string;
  events: readonly string[];
}

/** The workspace's webhook endpoints and what was sent to them. */
export function webhookRoutes(deps: Deps): Hono<DeskEnv> {
  const { db, now } = deps;
  const routes = new Hono<DeskEnv>();

  const show = (c: Context<DeskEnv>, more: { secret?: string; refused?: Refused } = {}) => {
    const { agent } = c.var;
    const endpoints = listEndpoints(db, agent.workspace_id);
    const deliveries = recentDeliveries(db, agent.workspace_id, shownDeliveries);
    const notice = readNotice(c.req.query('done'));
    return c.html(
      <Webhooks {...{ agent, now: now(), endpoints, deliveries, notice, ...more }} />,
      more.refused ? 400 : 200,
    );
  };

  routes.get('/', (c) => show(c));

  routes.post('/', async (c) => {
    const fields = await readFields(c);
    const valuesOf = (name: string) => fields.filter(([each]) => each === name).map(([, value]) => value);
    const url = valuesOf('url').at(-1)?.trim() ?? '';
    const asked = new Set(valuesOf('events'));
    const events = eventTypes.filter((type) => asked.has(type));
    const fault = endpointFault(url, events);
    if (fault !== null) return show(c, { refused: { fault: sentences.faults.endpoint[fault], url, events } });
    return show(c, { secret: createEndpoint(db, c.var.agent.workspace_id, { url, events }, now()) });
  });

  routes.post('/:id/:action{pause|resume}', (c) => {
    const isActive = c.req.param('action') === 'resume';
    setActive(db, c.var.agent.workspace_id, c.req.param('id'), isActive);
    deps.onEvent();
    return c.redirect(`/desk/webhooks?done=endpoint-${isActive ? 'resumed' : 'paused'}`, 303);
  });

  routes.get('/:id/delete', (c) => {
    const endpoint = listEndpoints(db, c.var.agent.workspace_id).find(({ id }) => id === c.req.param('id'));
    if (!endpoint) throw new Problem(404, sentences.errors.noEndpoint);
    return c.html(
      <Confirm
        agent={c.var.agent}
        section="webhooks"
        title={texts.deleteTitle}
        action={`/desk/webhooks/${endpoint.id}/delete`}
        label={texts.delete.label}
        back="/desk/webhooks"
      >
        <p>
          <strong class="url">{endpoint.url}</strong>
          <br />
          <span class="facts">{endpoint.events.join(', ')}</span>
        </p>
        <p>{texts.deleteEffect}</p>
      </Confirm>,
    );
  });

  routes.post('/:id/delete', (c) => {
    deleteEndpoint(db, c.var.agent.workspace_id, c.req.param('id'));
    return c.redirect('/desk/webhooks?done=endpoint-deleted', 303);
  });

  return routes;
}
