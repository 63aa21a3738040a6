/** @jsxImportSource hono/jsx */
import type { DeliveryReport } from '../../webhooks/deliveries.ts';
import type { Endpoint } from '../../webhooks/endpoints.ts';
import { Ago, Empty, FullTime } from './parts.tsx';

interface Props {
  deliveries: DeliveryReport[];
  endpoints: Endpoint[];
  now: Date;
}

/** Newest deliveries, each with its attempts folded away. */
export function Deliveries({ deliveries, endpoints, now }: Props) {
  if (deliveries.length === 0) return <Empty title="Nothing sent yet">The next event shows up here.</Empty>;
  const urlOf = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint.url]));
  return (
    <ul class="rows deliveries">
      {deliveries.map((delivery) => (
        <li>
          <details>
            <summary>
              <span class={`status status-${delivery.state}`}>{delivery.state}</span>
              <span class="event">{delivery.event_type}</span>
              <span class="url">{urlOf.get(delivery.endpoint_id)}</span>
              <Ago at={delivery.created_at} now={now} />
            </summary>
            <Attempts delivery={delivery} />
          </details>
        </li>
      ))}
    </ul>
  );
}

function Attempts({ delivery }: { delivery: DeliveryReport }) {
  return (
    <ol class="attempts">
      {delivery.attempts.map((attempt) => (
        <li>
          <FullTime at={attempt.attempted_at} />:{' '}
          {attempt.status === null ? attempt.error : `HTTP ${attempt.status}`}, after {attempt.duration_ms} ms
        </li>
      ))}
      {delivery.state === 'pending' && delivery.next_attempt_at !== null ? (
        <li class="hint">
          Next attempt: <FullTime at={delivery.next_attempt_at} />
        </li>
      ) : null}
    </ol>
  );
}
