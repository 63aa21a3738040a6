import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Store } from '../store/open.ts';
import { addGrant, addSubject, addTicket, newReply } from '../../testing/delivery/ledger.ts';
import { createTestWorker, endlessSends } from '../../testing/delivery/worker.ts';
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
    const { worker, record } = createTestWorker(store, clock, async ({ id }) => void sent.push(id));
    const recorded = await record();
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

it('a send is sent as soon as its request follows it, without a poll', async () => {
  const { sent, send, end } = endlessSends();
  const { worker, record, poll, startIdle } = createTestWorker(store, stoppedClock, send);
  await startIdle();
  const row = await record();
  void worker.follow(row, 5_000);
  expect(sent).toEqual([row.id]);
  expect(poll).not.toHaveBeenCalled();
  end();
  await worker.stop();
});

it('sends for which no place is free are found by polls, the oldest first, though requests take every other place', async () => {
  const { sent, send, end } = endlessSends();
  const { worker, record, startIdle } = createTestWorker(store, stoppedClock, send);
  await startIdle();
  const rows = [];
  for (let n = 0; n < 66; n += 1) rows.push(await record());
  for (const row of rows) void worker.follow(row, 0);
  const ids = rows.map(({ id }) => id);
  expect(sent).toEqual(ids.slice(0, 48));
  while (sent.length <= 48) await passTime(25);
  expect(sent).toEqual(ids.slice(0, 64));
  end();
  await worker.stop();
});

it('replies to one ticket that were recorded at once are sent in order', async () => {
  await addTicket(store);
  await addGrant(store);
  const sent: string[] = [];
  const { worker, record, startIdle } = createTestWorker(store, stoppedClock, async ({ id }) => {
    sent.push(id);
    await store.updateTable('operations').set({ state: 'done' }).where('id', '=', id).execute();
  });
  const rows = [];
  for (let n = 0; n < 5; n += 1) rows.push(await record(newReply));
  await startIdle();
  while (sent.length < 5) await passTime(25);
  expect(sent).toEqual(rows.map(({ id }) => id));
  await worker.stop();
});

describe('a request', () => {
  it('that repeats a send which has ended meanwhile is answered at once', async () => {
    const { worker, record, startIdle } = createTestWorker(store, stoppedClock, async () => {});
    await startIdle();
    const row = await record();
    await store.updateTable('operations').set({ state: 'done', due_at: null }).execute();
    expect((await worker.follow({ ...row, state: 'sending' }, 5_000)).state).toBe('done');
    await worker.stop();
  });

  it('is answered as soon as another process reports the outcome', async () => {
    const { worker, record, ledger, operations, startIdle } = createTestWorker(
      store,
      stoppedClock,
      async () => {},
    );
    await startIdle();
    const row = (await ledger.claim(await record(), { seen_ids: '[]', started_there: null, with_ref: 1 }))!;
    const read = vi.spyOn(operations, 'byId');
    const answered = worker.follow(row, 5_000);
    await passTime(900);
    expect(read).toHaveBeenCalledOnce();
    worker.changedElsewhere({ ...row, state: 'done' });
    expect((await answered).state).toBe('done');
    await worker.stop();
  });

  it('whose reply must wait for an earlier one that will be tried again later is answered at once', async () => {
    await addTicket(store);
    await addGrant(store);
    const { worker, record, startIdle } = createTestWorker(store, stoppedClock, async () => {});
    const [first, second] = [await record(newReply), await record(newReply)];
    const later = { attempts: 1, due_at: start + 60_000 };
    await store.updateTable('operations').set(later).where('id', '=', first.id).execute();
    await startIdle();
    expect(await worker.follow({ ...second, state: 'sending' }, 5_000)).toMatchObject({ state: 'accepted' });
    await worker.stop();
  });

  it('is answered at once after the worker has stopped', async () => {
    const { worker, record } = createTestWorker(store, stoppedClock, async () => {});
    await worker.start();
    await worker.stop();
    const answered = worker.follow(await record(), 5_000);
    await passTime(1);
    expect((await answered).state).toBe('accepted');
  });
});

it('of many sends that a poll finds, a service that was down gets few at once', async () => {
  const ends: (() => void)[] = [];
  const send = () => new Promise<void>((resolve) => ends.push(resolve));
  const { worker, record, startIdle } = createTestWorker(store, stoppedClock, send);
  for (let n = 0; n < 40; n += 1) await record();
  await startIdle();
  expect(ends).toHaveLength(16);
  for (let n = 0; n < 5; n += 1) {
    worker.poll();
    await passTime(30);
  }
  expect(ends).toHaveLength(16);
  for (const end of ends) end();
  while (ends.length <= 16) await passTime(25);
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
  await passTime(30);
  let hasStopped = false;
  const stopped = worker.stop().then(() => (hasStopped = true));
  await passTime(1);
  expect(hasStopped).toBe(false);
  end();
  await stopped;
});

it('polls that fail are a second apart, though requests ask for polls in between', async () => {
  let ms = 0;
  const moving = { now: () => start + ms, elapsed: () => ms };
  const down = new Error('the store is down');
  const onError = vi.fn<(error: unknown) => void>();
  const { worker, poll, startIdle } = createTestWorker(store, moving, async () => {}, onError);
  await startIdle();
  poll.mockRejectedValue(down);
  for (ms = 0; ms < 3_000; ms += 25) {
    worker.poll();
    await passTime(25);
  }
  expect(poll.mock.calls.length).toBeGreaterThanOrEqual(2);
  expect(poll.mock.calls.length).toBeLessThanOrEqual(4);
  await worker.stop();
});
