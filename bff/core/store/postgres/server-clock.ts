import { sql } from 'kysely';
import { type Clock, systemClock } from '../../clock.ts';
import type { Store, StorePlace } from '../open.ts';

/** The server's clock, in Unix milliseconds, so that the clocks of the instances do not matter. */
export const serverNow = sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;

const readEveryMs = 10_000;
/** A slower answer does not tell exactly when the server read its clock. */
const slowestAnswerMs = 400;

export interface SharedClock extends Clock {
  /** Stops the readings. The clock continues. */
  stop: () => void;
}

/**
 * The wall clock that all instances share. It is the server's clock, read every ten seconds and continued by this
 * process's monotonic clock, `elapsed`. So a stored time, such as the end of a lease, means the same to all instances,
 * even if their own wall clocks differ.
 * @throws when the server does not answer the first time
 */
export async function followServerClock({
  store,
  elapsed,
  onError,
}: {
  store: Store;
  elapsed: Clock['elapsed'];
  onError: (error: unknown) => void;
}): Promise<SharedClock> {
  async function readOffset(): Promise<{ offsetMs: number; tookMs: number }> {
    const askedAt = elapsed();
    const { now } = await store.selectNoFrom(serverNow.as('now')).executeTakeFirstOrThrow();
    const answeredAt = elapsed();
    return { offsetMs: now - (askedAt + answeredAt) / 2, tookMs: answeredAt - askedAt };
  }

  let { offsetMs } = await readOffset();

  async function read(): Promise<void> {
    const found = await readOffset();
    if (found.tookMs <= slowestAnswerMs) ({ offsetMs } = found);
  }
  const reading = setInterval(() => void read().catch(onError), readEveryMs).unref();

  return {
    now: () => Math.floor(elapsed() + offsetMs),
    elapsed,
    stop: () => clearInterval(reading),
  };
}

/**
 * The clock that all users of the store at `place` share: the clock of the server, or of this machine if the store is a
 * file.
 * @throws when the server does not answer
 */
export const clockOf = async (
  place: StorePlace,
  store: Store,
  onError: (error: unknown) => void,
): Promise<SharedClock> =>
  typeof place === 'object' && 'databaseUrl' in place
    ? followServerClock({ store, elapsed: systemClock.elapsed, onError })
    : { ...systemClock, stop: () => {} };
