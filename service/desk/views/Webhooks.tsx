/** @jsxImportSource hono/jsx */
import type { Agent } from '../../agents/agents.ts';
import type { DeliveryReport } from '../../webhooks/deliveries.ts';
import type { Endpoint } from '../../webhooks/endpoints.ts';
import { eventTypes } from '../../webhooks/events.ts';
import { Deliveries } from './Deliveries.tsx';
import type { NoticeName } from './notices.ts';
import { Page } from './Page.tsx';
import { Empty, Fault, ShownOnce } from './parts.tsx';

interface Props {
  agent: Agent;
  now: Date;
  endpoints: Endpoint[];
  deliveries: DeliveryReport[];
  /** Signing secret of an endpoint just made. */
  secret?: string | undefined;
  refused?: { fault: string; url: string; events: readonly string[] } | undefined;
  notice?: NoticeName | undefined;
}

export function Webhooks({ agent, now, endpoints, deliveries, secret, refused, notice }: Props) {
  return (
    <Page title="Webhooks" section="Webhooks" agent={agent} notice={notice}>
      <div class="head">
        <h1>Webhooks</h1>
      </div>
      <p class="lead">
        Each event is sent to every active endpoint that subscribes to it. It is signed as in{' '}
        <a href="https://www.standardwebhooks.com">Standard Webhooks</a> and retried for about three days.
      </p>
      {secret === undefined ? null : (
        <ShownOnce title="Your signing secret" secret={secret}>
          Copy it now. Your endpoint needs it to verify events. It won’t be shown again.
        </ShownOnce>
      )}
      <NewEndpoint refused={refused} />
      <h2>Endpoints</h2>
      {endpoints.length === 0 ? (
        <Empty title="No endpoints">Add one to be told about new tickets and messages.</Empty>
      ) : (
        <ul class="rows endpoints">
          {endpoints.map((endpoint) => (
            <EndpointRow endpoint={endpoint} />
          ))}
        </ul>
      )}
      <h2>Recent deliveries</h2>
      <Deliveries deliveries={deliveries} endpoints={endpoints} now={now} />
    </Page>
  );
}

function NewEndpoint({ refused }: Pick<Props, 'refused'>) {
  return (
    <form class="card stack" method="post" action="/desk/webhooks">
      <label>
        Endpoint URL
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
        <legend>Events</legend>
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
      <button type="submit">Add endpoint</button>
    </form>
  );
}

function EndpointRow({ endpoint }: { endpoint: Endpoint }) {
  const path = `/desk/webhooks/${endpoint.id}`;
  const turn = endpoint.is_active ? 'Pause' : 'Resume';
  return (
    <li class={endpoint.is_active ? undefined : 'off'}>
      <span class="person">
        <strong class="url">{endpoint.url}</strong>
        <span class="facts">{endpoint.events.join(', ')}</span>
      </span>
      {endpoint.is_active ? null : <span class="status status-closed">paused</span>}
      <form method="post" action={`${path}/${turn.toLowerCase()}`}>
        <button class="plain" type="submit" aria-label={`${turn} ${endpoint.url}`}>
          {turn}
        </button>
      </form>
      <form method="get" action={`${path}/delete`}>
        <button class="plain danger" type="submit" aria-label={`Delete ${endpoint.url}`}>
          Delete
        </button>
      </form>
    </li>
  );
}
