import type { Logger } from 'pino';
import type { Db } from '../db/open.ts';
import {
  activeEndpoints,
  deleteOldEvents,
  nextDelivery,
  nextDueAt,
  recordAttempt,
  type DueDelivery,
} from './deliveries.ts';
import { retryDelayMs } from './schedule.ts';
import { openDeliveryAgent, sendDelivery } from './send.ts';

export interface DeliveryWorker {
  /** Look now: something was queued. */
  wake: () => void;
  /** Stops; attempts under way are dropped unlogged, so the next start makes them again. */
  stop: () => Promise<void>;
}

interface Options {
  db: Db;
  log: Logger;
  now: () => Date;
  /** Wait after that many failed attempts, in ms; null gives up. */
  retryDelay?: (failedAttempts: number) => number | null;
}

const longestSleepMs = 60_000;
const sweepMs = 60 * 60_000;

/**
 * Delivers what the outbox holds, from an earlier run too. Endpoints are served side by side, each one delivery at a
 * time, so that a slow endpoint holds up only itself.
 */
export function startDeliveryWorker({ db, log, now, retryDelay = retryDelayMs }: Options): DeliveryWorker {
  const agent = openDeliveryAgent();
  const stopping = new AbortController();
  const underWay = new Map<string, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let isWoken = false;
  let sweptAtMs = 0;

  const attempt = async (delivery: DueDelivery) => {
    const startedAt = now();
    const result = await sendDelivery(agent, delivery, startedAt, stopping.signal);
    if (stopping.signal.aborted) return;
    const retryMs = retryDelay(delivery.attempt_count + 1);
    recordAttempt(db, delivery, result, { startedAt, now: now(), retryMs });
    log.info(
      {
        delivery: delivery.id,
        endpoint: delivery.endpoint_id,
        attempt: delivery.attempt_count + 1,
        ...result,
      },
      'webhook attempt',
    );
  };

  const finish = (delivery: DueDelivery) => {
    underWay.delete(delivery.endpoint_id);
    wake();
  };

  const start = (delivery: DueDelivery) => {
    const done = attempt(delivery).then(
      () => finish(delivery),
      (error: unknown) => {
        log.error({ err: error, delivery: delivery.id }, 'webhook attempt not recorded');
        // Still due, since nothing was recorded: at once again would mean sending it without end.
        setTimeout(() => finish(delivery), longestSleepMs).unref();
      },
    );
    underWay.set(delivery.endpoint_id, done);
  };

  const sweep = (at: Date) => {
    if (at.getTime() - sweptAtMs < sweepMs) return;
    sweptAtMs = at.getTime();
    deleteOldEvents(db, at);
  };

  const look = () => {
    const at = now();
    sweep(at);
    for (const endpointId of activeEndpoints(db)) {
      const delivery = underWay.has(endpointId) ? undefined : nextDelivery(db, endpointId, at);
      if (delivery) start(delivery);
    }
    const nextMs = (nextDueAt(db, at)?.getTime() ?? Infinity) - at.getTime();
    timer = setTimeout(wake, Math.min(nextMs, longestSleepMs));
  };

  const run = () => {
    isWoken = false;
    if (stopping.signal.aborted) return;
    clearTimeout(timer);
    try {
      look();
    } catch (error) {
      log.error({ err: error }, 'webhook outbox not readable');
      timer = setTimeout(wake, longestSleepMs);
    }
  };

  // Many events at once make one look, outside the requests that they came from.
  const wake = () => {
    if (isWoken) return;
    isWoken = true;
    setImmediate(run);
  };

  wake();
  return {
    wake,
    stop: async () => {
      stopping.abort();
      clearTimeout(timer);
      await Promise.all(underWay.values());
      await agent.destroy();
    },
  };
}
