import { createAttempts, type AttemptOptions } from './attempts.ts';
import { activeEndpoints, deleteOldEvents, nextDelivery, nextDueAt } from './deliveries.ts';
import { retryDelayMs } from './schedule.ts';

export interface DeliveryWorker {
  /** Look now: something was queued. */
  wake: () => void;
  stop: () => Promise<void>;
}

type Options = Omit<AttemptOptions, 'retryDelay'> & Partial<Pick<AttemptOptions, 'retryDelay'>>;

const longestSleepMs = 60_000;
const sweepMs = 60 * 60_000;

/**
 * Delivers what the outbox has, from an earlier run too. Endpoints are served side by side, each one delivery at a time,
 * so that a slow endpoint delays only itself.
 */
export function startDeliveryWorker(options: Options): DeliveryWorker {
  const { db, log, now } = options;
  const attempts = createAttempts({ retryDelay: retryDelayMs, ...options }, wake);
  let timer: NodeJS.Timeout | undefined;
  let isWoken = false;
  let isStopped = false;
  let sweptAtMs = 0;

  function sweep(at: Date): void {
    if (at.getTime() - sweptAtMs < sweepMs) return;
    sweptAtMs = at.getTime();
    deleteOldEvents(db, at);
  }

  function startDue(): void {
    const at = now();
    sweep(at);
    for (const endpointId of activeEndpoints(db)) {
      const delivery = attempts.isBusy(endpointId) ? undefined : nextDelivery(db, endpointId, at);
      if (delivery) attempts.start(delivery);
    }
    const nextMs = (nextDueAt(db, at)?.getTime() ?? Infinity) - at.getTime();
    timer = setTimeout(wake, Math.min(nextMs, longestSleepMs));
  }

  function run(): void {
    isWoken = false;
    if (isStopped) return;
    clearTimeout(timer);
    try {
      startDue();
    } catch (error) {
      log.error({ err: error }, 'webhook outbox not readable');
      timer = setTimeout(wake, longestSleepMs);
    }
  }

  /** Many events at once start one run, outside the requests that they came from. */
  function wake(): void {
    if (isWoken) return;
    isWoken = true;
    setImmediate(run);
  }

  wake();
  return {
    wake,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await attempts.stop();
    },
  };
}
