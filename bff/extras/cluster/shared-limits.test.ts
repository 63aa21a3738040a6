import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openCounters } from '../../core/store/counters.ts';
import { createLimits, type Limits } from '../../core/limits/limits.ts';
import { createMetrics } from '../../core/metrics/metrics.ts';
import type { Store } from '../../core/store/open.ts';
import { createSeal } from '../../core/store/seal.ts';
import { usualLimits } from '../../testing/operator/limits.ts';
import { openTestStore } from '../../testing/store/test-store.ts';
import { until } from '../../testing/streams.ts';

const hourMs = 3_600_000;
const spend = [{ policy: 'tickets-ip', key: '10.0.0.1' } as const];

let store: Store;
beforeEach(async () => {
  store = await openTestStore(randomUUID());
});
afterEach(() => store.destroy());

/**
 * The limits of one instance. By default errors are ignored: work from the start may still run when the test ends.
 */
const instance = (onError: (error: unknown) => void = () => {}): Limits =>
  createLimits({
    counterStore: openCounters(store, null),
    settings: usualLimits,
    seal: createSeal('a secret of more than thirty-two characters'),
    refusals: createMetrics().limitRefusals,
    onError,
  });

async function counts() {
  const { rows } = await sql<{ points: number; expire: number }>`select points, expire from limits`.execute(
    store,
  );
  return rows;
}

it('tickets from one address are counted for all instances together', async () => {
  const [here, there] = [instance(), instance()];
  for (let n = 0; n < usualLimits.ticketsPerIp; n += 1) await (n % 2 ? here : there).take(spend);
  await expect(here.take(spend)).rejects.toMatchObject({ code: 'rate_limited' });
  await expect(there.take(spend)).rejects.toMatchObject({ code: 'rate_limited' });
  here.close();
  there.close();
});

it('points that two instances take at the same moment are all counted', async () => {
  const limits = Array.from({ length: usualLimits.ticketsPerIp }, () => instance());
  await Promise.all(limits.map((each) => each.take(spend)));
  expect((await counts()).map(({ points }) => points)).toEqual([usualLimits.ticketsPerIp]);
  for (const each of limits) each.close();
});

it('a burst at two instances passes no limit, though each takes the same counts in another order', async () => {
  const errors: unknown[] = [];
  const [here, there] = [instance((error) => errors.push(error)), instance((error) => errors.push(error))];
  const own = Array.from({ length: 5 }, (_, n) => ({ policy: 'tickets-session', key: `s${n}` }) as const);
  const burst = Array.from({ length: 100 }, (_, n) => {
    const spends = [...spend, own[n % own.length]!];
    return n % 2 ? here.take(spends) : there.take(spends.toReversed());
  });
  const passed = (await Promise.allSettled(burst)).filter(({ status }) => status === 'fulfilled').length;
  expect(passed).toBeLessThanOrEqual(usualLimits.ticketsPerIp);
  expect(errors).toEqual([]);
  const ofAll = (await counts()).map(({ points }) => points);
  expect(ofAll.reduce((sum, points) => sum + points, 0)).toBe(2 * passed);
  here.close();
  there.close();
});

it('a count that would outlast its window is shortened to it, and an expired one is removed', async () => {
  const limits = instance();
  await limits.take(spend);
  await sql`update limits set expire = expire + ${24 * hourMs}`.execute(store);
  limits.clockWasSet();
  await until(async () =>
    expect((await counts()).map(({ expire }) => expire <= Date.now() + hourMs)).toEqual([true]),
  );
  await openCounters(store, null).removeExpired(Date.now() + 2 * hourMs);
  expect(await counts()).toEqual([]);
  limits.close();
});
