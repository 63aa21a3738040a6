/** @jsxImportSource hono/jsx */
import type { DeliveryReport } from '../../webhooks/deliveries.ts';
import type { Endpoint } from '../../webhooks/endpoints.ts';
import { sentences } from '../sentences/sentences.ts';
import { Ago, Empty, FullTime } from './parts.tsx';

const texts = sentences.webhooks;

interface Props {
  deliveries: DeliveryReport[];
  endpoints: Endpoint[];
  now: Date;
}

/** Newest deliveries, each with its attempts collapsed. */
export function Deliveries({ deliveries, endpoints, now }: Props) {
  if (deliveries.length === 0) return <Empty {...texts.noDeliveries} />;
  const urlOf = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint.url]));
  return (
    <ul class="rows deliveries">
      {deliveries.map((delivery) => (
        <li>
          <details>
            <summary>
              <span class={`status status-${delivery.state}`}>{texts.states[delivery.state]}</span>
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

const resultOf = ({ status, error }: DeliveryReport['attempts'][number]) =>
  status === null ? (error ?? '') : texts.httpStatus(status);

function Attempts({ delivery }: { delivery: DeliveryReport }) {
  return (
    <ol class="attempts">
      {delivery.attempts.map((attempt) => (
        <li>
          {texts.attempt(<FullTime at={attempt.attempted_at} />, resultOf(attempt), attempt.duration_ms)}
        </li>
      ))}
      {delivery.state === 'pending' && delivery.next_attempt_at !== null ? (
        <li class="hint">{texts.nextAttempt(<FullTime at={delivery.next_attempt_at} />)}</li>
      ) : null}
    </ol>
  );
}
