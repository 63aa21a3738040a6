import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Store } from '../store/open.ts';
import { openTestStore } from '../testing/store.ts';
import { passTime } from '../testing/time.ts';
import { createMembers, type Members } from './members.ts';

let store: Store;
const members: Members[] = [];
beforeEach(async () => {
  store = await openTestStore();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(async () => {
  for (const each of members.splice(0)) await each.stop();
  vi.useRealTimers();
  await store.destroy();
});

async function join(): Promise<Members> {
  const onError = (error: unknown) => expect.unreachable(String(error));
  const one = createMembers({ store, instance: randomUUID(), onError });
  members.push(one);
  await one.start();
  return one;
}

it('instances that run are counted by each within five seconds', async () => {
  const [first] = [await join(), await join(), await join()];
  expect(first.count()).toBe(1);
  await passTime(5_000);
  expect(members.map((each) => each.count())).toEqual([3, 3, 3]);
});

it('one that stops is not counted any more', async () => {
  const [first, second] = [await join(), await join()];
  await second.stop();
  await passTime(5_000);
  expect(first.count()).toBe(1);
});

it('one that has said nothing for 15 seconds is not counted', async () => {
  const first = await join();
  await sql`insert into instances values ('dead', extract(epoch from clock_timestamp()) * 1000 - 15001)`.execute(
    store,
  );
  await sql`insert into instances values ('slow', extract(epoch from clock_timestamp()) * 1000 - 10000)`.execute(
    store,
  );
  await passTime(5_000);
  expect(first.count()).toBe(2);
});
