import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openTestStore } from '../../../testing/store/test-store.ts';
import type { Store } from '../open.ts';
import { createLastUse, type LastUse } from './last-use.ts';

const seconds = (count: number) => count * 1_000;

let store: Store;
let time: number;
let setBacks: number;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  store = await openTestStore();
  [time, setBacks] = [1_000_000_000_000, 0];
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop()));
  vi.useRealTimers();
  await store.destroy();
});

const onSetBack = async () => void (setBacks += 1);
const failed = (error: unknown) => expect.unreachable(String(error));
const running: LastUse[] = [];
function server(aheadMs = 0): LastUse {
  const now = () => time + aheadMs;
  const created = createLastUse({ store, now, elapsed: () => time, onSetBack, onError: failed });
  running.push(created);
  return created;
}

/** Lets one check come, and waits for it. */
async function pass(ms: number): Promise<void> {
  time += ms;
  vi.advanceTimersByTime(ms);
  await expect.poll(lastUse).toBe(time);
}
const lastUse = async () => (await store.selectFrom('last_use').select('at').executeTakeFirst())?.at;

it.each([
  ['a restart within a minute', 50, 0],
  ['a start long after the last use', 70, 1],
  ['a start with a clock that is behind the last use', -70, 1],
])('after %s the store counts as set back only if it was not in use', async (_, later, count) => {
  const first = server();
  await first.start();
  await first.stop();
  setBacks = 0;
  time += seconds(later);
  await server().start();
  expect(setBacks).toBe(count);
});

it('a store that was never in use, such as a restored one, counts as set back', async () => {
  await server().start();
  expect(setBacks).toBe(1);
});

it('a server keeps its store in use while it runs', async () => {
  await server().start();
  for (let n = 0; n < 8; n += 1) await pass(seconds(15));
  setBacks = 0;
  time += seconds(50);
  await server().start();
  expect(setBacks).toBe(0);
});

it('a running server notices that its store was set back', async () => {
  await server().start();
  const copy = (await lastUse())!;
  for (let n = 0; n < 3; n += 1) await pass(seconds(15));
  setBacks = 0;
  await store.updateTable('last_use').set({ at: copy }).execute();
  await pass(seconds(15));
  expect(setBacks).toBe(1);
  await pass(seconds(15));
  expect(setBacks).toBe(1);
});

it('two servers with clocks that differ by seconds see no set-back in each other', async () => {
  await server(seconds(5)).start();
  await server().start();
  setBacks = 0;
  vi.advanceTimersByTime(seconds(15));
  await expect.poll(lastUse).toBe(time);
  expect(setBacks).toBe(0);
});
