import type { Logger } from 'pino';
import type { Db } from '../db/open.ts';
import { recordAttempt, type DueDelivery } from './deliveries.ts';
import { openDeliveryAgent, sendDelivery } from './send.ts';

export interface AttemptOptions {
  db: Db;
  log: Logger;
  now: () => Date;
  /** Wait after that many failed attempts, in ms; null gives up. */
  retryDelay: (failedAttempts: number) => number | null;
}

/**
 * After a result that could not be stored. The delivery is still due, and an immediate retry would send it in an
 * endless loop.
 */
const pauseAfterErrorMs = 60_000;

/** Makes the attempts at deliveries, one at a time for each endpoint. `onDone`: an endpoint is free again. */
export function createAttempts({ db, log, now, retryDelay }: AttemptOptions, onDone: () => void) {
  const agent = openDeliveryAgent();
  const stopping = new AbortController();
  const inFlight = new Map<string, Promise<void>>();

  async function attempt(delivery: DueDelivery): Promise<void> {
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
  }

  function finish(delivery: DueDelivery): void {
    inFlight.delete(delivery.endpoint_id);
    onDone();
  }

  return {
    isBusy: (endpointId: string) => inFlight.has(endpointId),
    start(delivery: DueDelivery): void {
      const done = attempt(delivery).then(
        () => finish(delivery),
        (error: unknown) => {
          log.error({ err: error, delivery: delivery.id }, 'webhook attempt not recorded');
          setTimeout(() => finish(delivery), pauseAfterErrorMs).unref();
        },
      );
      inFlight.set(delivery.endpoint_id, done);
    },
    /** Attempts in flight are dropped unlogged, so the next start makes them again. */
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all(inFlight.values());
      await agent.destroy();
    },
  };
}
