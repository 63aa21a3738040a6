import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Store } from '../../core/store/open.ts';
import { openTestStore } from '../../testing/store/test-store.ts';
import { createMembers, type Members } from './members.ts';

let store: Store;
beforeEach(async () => {
  store = await openTestStore();
});
afterEach(() => store.destroy());

async function join(): Promise<Members> {
  const one = createMembers(store, randomUUID());
  await one.heartbeat();
  return one;
}

const silentFor = (ms: number) =>
  sql`insert into instances values (${randomUUID()}, extract(epoch from clock_timestamp()) * 1000 - cast(${ms} as bigint))`.execute(
    store,
  );

it('running instances are counted by each other with each heartbeat', async () => {
  const all = [await join(), await join(), await join()];
  expect(all.map((each) => each.count())).toEqual([1, 2, 3]);
  for (const each of all) await each.heartbeat();
  expect(all.map((each) => each.count())).toEqual([3, 3, 3]);
});

it('an instance that leaves is no longer counted', async () => {
  const [first, second] = [await join(), await join()];
  await second.leave();
  await first.heartbeat();
  expect(first.count()).toBe(1);
});

it('an instance that is silent for five seconds is not counted, and is removed', async () => {
  const first = await join();
  await silentFor(5_001);
  await silentFor(3_000);
  await first.heartbeat();
  expect(first.count()).toBe(2);
  const { rows } = await sql`select id from instances`.execute(store);
  expect(rows).toHaveLength(2);
});

it('an instance that was removed while it was silent learns this from its next heartbeat', async () => {
  const first = await join();
  expect(await first.heartbeat()).toEqual({ isNew: false });
  await sql`delete from instances`.execute(store);
  expect(await first.heartbeat()).toEqual({ isNew: true });
});
