/** @jsxImportSource hono/jsx */
import type { Agent } from '../../agents/agents.ts';
import type { DeliveryReport } from '../../webhooks/deliveries.ts';
import type { Endpoint } from '../../webhooks/endpoints.ts';
import { eventTypes } from '../../webhooks/events.ts';
import { sentences } from '../sentences/sentences.ts';
import { Deliveries } from './Deliveries.tsx';
import type { NoticeName } from './notices.ts';
import { Page } from './Page.tsx';
import { Empty, Fault, ShownOnce } from './parts.tsx';

const texts = sentences.webhooks;

interface Props {
  agent: Agent;
  now: Date;
  endpoints: Endpoint[];
  deliveries: DeliveryReport[];
  /** Signing secret of an endpoint that was just created. */
  secret?: string | undefined;
  refused?: { fault: string; url: string; events: readonly string[] } | undefined;
  notice?: NoticeName | undefined;
}

export function Webhooks({ agent, now, endpoints, deliveries, secret, refused, notice }: Props) {
  return (
    <Page title={sentences.sections.webhooks} section="webhooks" agent={agent} notice={notice}>
      <div class="head">
        <h1>{sentences.sections.webhooks}</h1>
      </div>
      <p class="lead">{texts.lead(<a href="https://www.standardwebhooks.com">{texts.standard}</a>)}</p>
      {secret === undefined ? null : <ShownOnce {...texts.created} secret={secret} />}
      <NewEndpoint refused={refused} />
      <h2>{texts.endpoints}</h2>
      {endpoints.length === 0 ? (
        <Empty {...texts.none} />
      ) : (
        <ul class="rows endpoints">
          {endpoints.map((endpoint) => (
            <EndpointRow endpoint={endpoint} />
          ))}
        </ul>
      )}
      <h2>{texts.deliveries}</h2>
      <Deliveries deliveries={deliveries} endpoints={endpoints} now={now} />
    </Page>
  );
}

function NewEndpoint({ refused }: Pick<Props, 'refused'>) {
  return (
    <form class="card stack" method="post" action="/desk/webhooks">
      <label>
        {texts.url}
        <input
          type="url"
          name="url"
          required
          maxlength={2000}
          placeholder="https://"
          value={refused?.url ?? ''}
          aria-describedby={refused ? 'endpoint-fault' : undefined}
        />
      </label>
      <fieldset>
        <legend>{texts.events}</legend>
        {eventTypes.map((type) => (
          <label class="check">
            <input
              type="checkbox"
              name="events"
              value={type}
              checked={refused ? refused.events.includes(type) : true}
            />
            {type}
          </label>
        ))}
      </fieldset>
      <Fault id="endpoint-fault" text={refused?.fault} />
      <button type="submit">{texts.add}</button>
    </form>
  );
}

function EndpointRow({ endpoint }: { endpoint: Endpoint }) {
  const path = `/desk/webhooks/${endpoint.id}`;
  const turn = endpoint.is_active ? 'pause' : 'resume';
  return (
    <li class={endpoint.is_active ? undefined : 'off'}>
      <span class="person">
        <strong class="url">{endpoint.url}</strong>
        <span class="facts">{endpoint.events.join(', ')}</span>
      </span>
      {endpoint.is_active ? null : <span class="status status-closed">{texts.paused}</span>}
      <form method="post" action={`${path}/${turn}`}>
        <button class="plain" type="submit" aria-label={texts[turn].named(endpoint.url)}>
          {texts[turn].label}
        </button>
      </form>
      <form method="get" action={`${path}/delete`}>
        <button class="plain danger" type="submit" aria-label={texts.delete.named(endpoint.url)}>
          {texts.delete.label}
        </button>
      </form>
    </li>
  );
}
