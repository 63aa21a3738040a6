import { isDeepStrictEqual } from 'node:util';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isOnPostgres, openTestStore } from '../../../testing/store/test-store.ts';
import { createMetrics } from '../../metrics/metrics.ts';
import type { Store } from '../open.ts';
import { prepareRead } from './reads-together.ts';
import { atOnce } from './shared.ts';

const metrics = createMetrics();
let store: Store;
beforeEach(async () => {
  store = await openTestStore(undefined, metrics);
  for (const [url, known_at] of [
    ['http://a.test', 1],
    ['http://b.test', 2],
    ['http://c.test', 3],
  ] as const)
    await store.insertInto('services').values({ url, known_at }).execute();
});
afterEach(() => store.destroy());

const services = () =>
  prepareRead(({ url, least }: { url: string; least: number }) =>
    store
      .selectFrom('services')
      .select('url')
      .where((eb) => eb.or([eb('url', '=', url), eb('known_at', '>=', least)]))
      .orderBy('known_at', 'desc'),
  );

it('reads of one turn of the event loop each get their own rows, in their order', async () => {
  const read = services();
  const observed = vi.spyOn(metrics.statementDurations, 'observe');
  const asked = [
    { url: 'http://a.test', least: 3 },
    { url: 'http://z.test', least: 9 },
    { url: 'http://b.test', least: 9 },
    { url: 'http://a.test', least: 3 },
  ];
  const found = await Promise.all(asked.map((values) => read(store, values)));
  expect(found.map((rows) => rows.map(({ url }) => url))).toEqual([
    ['http://c.test', 'http://a.test'],
    [],
    ['http://b.test'],
    ['http://c.test', 'http://a.test'],
  ]);
  expect(observed).toHaveBeenCalledTimes(isOnPostgres ? 1 : 4);
});

it.runIf(isOnPostgres)('a value that the server refuses fails its own read alone', async () => {
  const read = services();
  const asked = ['http://a.test', 'http://b.test\0', 'http://b.test'].map((url) =>
    read(store, { url, least: 9 }),
  );
  const found = await Promise.allSettled(asked);
  expect(found.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await asked[2]).toMatchObject([{ url: 'http://b.test' }]);
});

it('a read in a transaction sees its rows, beside reads that do not', async () => {
  const read = services();
  const url = 'http://a.test';
  await store.transaction().execute(async (trx) => {
    await trx.deleteFrom('services').execute();
    expect(await read(trx, { url, least: 9 })).toEqual([]);
  });
  expect(await read(store, { url, least: 9 })).toEqual([]);
});

it.runIf(isOnPostgres)(
  'reads that come while many run share a statement, so that connections stay free',
  async () => {
    const read = services();
    const url = 'http://a.test';
    const reads: Promise<unknown>[] = [];
    const observed = vi.spyOn(metrics.statementDurations, 'observe');
    await store.transaction().execute(async (trx) => {
      await sql`lock table services`.execute(trx);
      for (let n = 0; n < 20; n += 1) {
        reads.push(read(store, { url, least: 9 }));
        await setImmediate();
      }
      observed.mockClear();
    });
    expect(await Promise.all(reads)).toHaveLength(20);
    expect(
      observed.mock.calls.filter(([labels]) => !isDeepStrictEqual(labels, { statement: 'other' })),
    ).toHaveLength(atOnce + 1);
  },
);
