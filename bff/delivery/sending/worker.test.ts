import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Store } from '../../store/open.ts';
import { addSubject } from '../../testing/delivery/ledger.ts';
import { createTestWorker } from '../../testing/delivery/worker.ts';
import { openTestStore } from '../../testing/store/test-store.ts';
import { passTime } from '../../testing/time.ts';

const start = Date.UTC(2026, 0, 1);
const stoppedClock = { now: () => start, elapsed: () => 0 };

let store: Store;
beforeEach(async () => {
  store = await openTestStore();
  await addSubject(store);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await store.destroy();
});

it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])(
  'a send that becomes due at the %ith reading of the clock is sent at once, at any point of a poll',
  async (readings) => {
    let read = 0;
    const clock = { now: () => start + read++, elapsed: () => 0 };
    const sent: string[] = [];
    const { worker, recordElsewhere } = createTestWorker(store, clock, async ({ id }) => void sent.push(id));
    const recorded = await recordElsewhere();
    read = 0;
    await store
      .updateTable('operations')
      .set({ due_at: start + readings })
      .execute();
    await worker.start();
    await passTime(3_000);
    expect(sent).toEqual([recorded.id]);
    await worker.stop();
  },
);

it('sends accepted while every place is taken are sent in order as places become free, without a poll', async () => {
  const sent: string[] = [];
  const ends: (() => void)[] = [];
  const { worker, recordElsewhere, poll, startIdle } = createTestWorker(store, stoppedClock, ({ id }) => {
    sent.push(id);
    return new Promise((resolve) => ends.push(resolve));
  });
  await startIdle();
  const rows = [];
  for (let n = 0; n < 70; n += 1) rows.push(await recordElsewhere());
  for (const row of rows) worker.send(row);
  expect(sent).toHaveLength(64);
  for (const end of ends.slice(0, 6)) end();
  await passTime(1);
  expect(sent).toEqual(rows.map(({ id }) => id));
  expect(poll).not.toHaveBeenCalled();
  for (const end of ends) end();
  await worker.stop();
});

it('a send abandoned by another process is sent though accepted ones take every place', async () => {
  const sent: string[] = [];
  let ms = 0;
  const clock = { now: () => start + ms, elapsed: () => ms };
  const { worker, recordElsewhere } = createTestWorker(store, clock, async ({ id }) => {
    sent.push(id);
    ms += 20;
    // Another operation arrives for each one that is sent.
    if (sent.length < 250) worker.send(await recordElsewhere());
  });
  await worker.start();
  await passTime(1);
  const [left, ...rows] = await Promise.all(Array.from({ length: 100 }, recordElsewhere));
  for (const row of rows) worker.send(row);
  await vi.waitUntil(() => sent.includes(left!.id));
  expect(sent.indexOf(left!.id)).toBeLessThan(150);
  await worker.stop();
});

it('of many sends that a poll finds, a service that was down gets few at once', async () => {
  const ends: (() => void)[] = [];
  const send = () => new Promise<void>((resolve) => ends.push(resolve));
  const { worker, recordElsewhere, startIdle } = createTestWorker(store, stoppedClock, send);
  for (let n = 0; n < 40; n += 1) await recordElsewhere();
  await startIdle();
  expect(ends).toHaveLength(16);
  for (let n = 0; n < 5; n += 1) {
    worker.poll();
    await passTime(30);
  }
  expect(ends).toHaveLength(16);
  for (const end of ends) end();
  await vi.waitUntil(() => ends.length > 16);
  expect(ends.length).toBeLessThanOrEqual(32);
  const stopped = worker.stop();
  for (const end of ends) end();
  await stopped;
});

it('a worker has stopped only when its poll has ended', async () => {
  const { worker, poll, startIdle } = createTestWorker(store, stoppedClock, async () => {});
  await startIdle();
  let end = () => {};
  const upcoming = { due: [], hasAbandoned: false, nextAt: Infinity };
  poll.mockReturnValueOnce(new Promise((resolve) => (end = () => resolve(upcoming))));
  worker.poll();
  await passTime(1);
  let hasStopped = false;
  const stopped = worker.stop().then(() => (hasStopped = true));
  await passTime(1);
  expect(hasStopped).toBe(false);
  end();
  await stopped;
});

it('polls that fail are a second apart, though sends fail in between', async () => {
  let ms = 0;
  const moving = { now: () => start + ms, elapsed: () => ms };
  const down = new Error('the store is down');
  const onError = vi.fn<(error: unknown) => void>();
  const { worker, ledger, poll, record, startIdle } = createTestWorker(
    store,
    moving,
    async () => {},
    onError,
  );
  await startIdle();
  poll.mockRejectedValue(down);
  vi.spyOn(ledger, 'accept').mockRejectedValue(down);
  for (ms = 0; ms < 3_000; ms += 25) {
    await expect(record()).rejects.toThrow(down);
    await passTime(25);
  }
  expect(poll.mock.calls.length).toBeGreaterThanOrEqual(2);
  expect(poll.mock.calls.length).toBeLessThanOrEqual(4);
  await worker.stop();
});
