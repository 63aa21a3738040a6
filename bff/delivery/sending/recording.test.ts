import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Store } from '../../store/open.ts';
import { addGrant, addSubject, addTicket, newReply, newTicket } from '../../testing/delivery/ledger.ts';
import { createTestWorker, endlessSends } from '../../testing/delivery/worker.ts';
import { openTestStore } from '../../testing/store/test-store.ts';
import { passTime } from '../../testing/time.ts';

const start = Date.UTC(2026, 0, 1);
const clock = { now: () => start, elapsed: () => 0 };

let store: Store;
beforeEach(async () => {
  store = await openTestStore();
  await addSubject(store);
  await addTicket(store);
  await addGrant(store);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await store.destroy();
});

type TestWorker = ReturnType<typeof createTestWorker>;
const createWorker = (send: Parameters<typeof createTestWorker>[2]) => createTestWorker(store, clock, send);

/** The states of new tickets, right after they were recorded at once. */
const recordMany = async ({ record }: TestWorker, count: number) =>
  (await Promise.all(Array.from({ length: count }, () => record()))).map(({ row }) => row.state);

const theOnlyRow = () => store.selectFrom('operations').selectAll().executeTakeFirstOrThrow();

describe('a new send', () => {
  it('is leased in the write that records it, and sent without a poll', async () => {
    const sent: string[] = [];
    const { worker, record, poll, startIdle } = createWorker(async ({ id }) => void sent.push(id));
    await startIdle();
    const { row } = await record();
    worker.send(row);
    expect(row).toMatchObject({ state: 'sending', attempts: 1 });
    expect(sent).toEqual([row.id]);
    expect(poll).not.toHaveBeenCalled();
    await worker.stop();
  });

  it('is only recorded while every place is taken', async () => {
    const { send, end } = endlessSends();
    const test = createWorker(send);
    await test.startIdle();
    expect(new Set(await recordMany(test, 64))).toEqual(new Set(['sending']));
    expect(await recordMany(test, 1)).toEqual(['accepted']);
    end();
    await test.worker.stop();
  });

  it('is only recorded while an earlier reply to its ticket is in progress', async () => {
    const { send, end } = endlessSends();
    const { worker, ledger, record, startIdle } = createWorker(send);
    await startIdle();
    const accept = vi.spyOn(ledger, 'accept');
    const first = await record(newReply);
    const second = await record(newReply);
    expect([first.row.state, second.row.state]).toEqual(['sending', 'accepted']);
    expect(accept.mock.calls.map(([, , , options]) => options?.attempt !== undefined)).toEqual([true, false]);
    end();
    await worker.stop();
  });

  it('is only recorded after the worker has stopped', async () => {
    const { worker, record } = createWorker(async () => {});
    await worker.start();
    await worker.stop();
    expect((await record()).row.state).toBe('accepted');
  });

  it('is sent before the worker has stopped if it is recorded during the stop', async () => {
    const events: string[] = [];
    const { worker, ledger, record } = createWorker(async () => void events.push('sent'));
    await worker.start();
    const { accept } = ledger;
    let stopped: Promise<unknown> | undefined;
    vi.spyOn(ledger, 'accept').mockImplementationOnce(async (...args) => {
      await passTime(1);
      stopped = worker.stop().then(() => events.push('stopped'));
      await passTime(10);
      return accept(...args);
    });
    await record();
    await stopped;
    expect(events).toEqual(['sent', 'stopped']);
  });

  it('that has ended before its request waits is answered at once', async () => {
    const { worker, record } = createWorker(async () => {
      await store.updateTable('operations').set({ state: 'done' }).execute();
    });
    await worker.start();
    const { row } = await record();
    await vi.waitUntil(async () => (await theOnlyRow()).state === 'done');
    await passTime(10);
    expect((await worker.waitFor(row, 5_000)).state).toBe('done');
    await worker.stop();
  });
});

describe('the place reserved for a send', () => {
  it('is free again when the send was known or its write failed', async () => {
    const { send, end } = endlessSends();
    const test = createWorker(send);
    const { worker, ledger, record } = test;
    await test.startIdle();
    const key = randomUUID();
    await record(newTicket, key);
    for (let n = 0; n < 64; n += 1) expect((await record(newTicket, key)).isNew).toBe(false);
    vi.spyOn(ledger, 'accept').mockRejectedValueOnce(new Error('broken'));
    await expect(record()).rejects.toThrow('broken');
    expect(new Set(await recordMany(test, 63))).toEqual(new Set(['sending']));
    end();
    await worker.stop();
  });

  it('is given to the next send when its write failed', async () => {
    const { sent, send, end } = endlessSends();
    const test = createWorker(send);
    const { worker, ledger, record } = test;
    await test.startIdle();
    await recordMany(test, 63);
    let fail = () => {};
    vi.spyOn(ledger, 'accept').mockReturnValueOnce(
      new Promise((_, reject) => (fail = () => reject(new Error('broken')))),
    );
    const failing = record();
    const { row } = await record();
    worker.send(row);
    expect(sent).not.toContain(row.id);
    fail();
    await expect(failing).rejects.toThrow('broken');
    expect(sent).toContain(row.id);
    end();
    await worker.stop();
  });
});

it('a send whose write takes longer than its lease is not taken for abandoned meanwhile', async () => {
  let ms = 0;
  const states: string[] = [];
  const moving = { now: () => start + ms, elapsed: () => ms };
  const test = createTestWorker(store, moving, async ({ id }) => {
    states.push((await theOnlyRow()).state);
    await store.updateTable('operations').set({ state: 'done' }).where('id', '=', id).execute();
  });
  await test.startIdle();
  const { accept } = test.ledger;
  vi.spyOn(test.ledger, 'accept').mockImplementationOnce(async (...args) => {
    const accepted = await accept(...args);
    ms = 60_000;
    test.worker.poll();
    await passTime(20);
    return accepted;
  });
  await test.record();
  await vi.waitUntil(() => states.length > 0);
  expect(states).toEqual(['sending']);
  await test.worker.stop();
});

it('replies recorded while an earlier one is being sent follow it in order, without a pause', async () => {
  const sent: string[] = [];
  let endFirst = () => {};
  const firstEnded = new Promise<void>((resolve) => (endFirst = resolve));
  const { worker, record, startIdle } = createWorker(async ({ id }) => {
    sent.push(id);
    await firstEnded;
    await store.updateTable('operations').set({ state: 'done' }).where('id', '=', id).execute();
  });
  await startIdle();
  const rows = [];
  for (let n = 0; n < 5; n += 1) rows.push((await record(newReply)).row);
  expect(rows.map(({ state }) => state)).toEqual(['sending', ...Array(4).fill('accepted')]);
  for (const row of rows) worker.send(row);
  endFirst();
  await passTime(1);
  expect(sent).toEqual(rows.map(({ id }) => id));
  await worker.stop();
});

it('of two replies to one ticket that waited for a place, the second follows the first without a pause', async () => {
  const ends = new Map<string, () => void>();
  const sent: string[] = [];
  const test = createWorker(async ({ id }) => {
    sent.push(id);
    await new Promise<void>((resolve) => ends.set(id, resolve));
    await store.updateTable('operations').set({ state: 'done' }).where('id', '=', id).execute();
  });
  const { worker, record } = test;
  await test.startIdle();
  await recordMany(test, 64);
  const [first, second] = [(await record(newReply)).row, (await record(newReply)).row];
  for (const row of [first, second]) worker.send(row);
  for (const id of sent.slice(0, 2)) ends.get(id)!();
  await passTime(1);
  expect(sent.slice(64)).toEqual([first.id]);
  ends.get(first.id)!();
  await passTime(1);
  expect(sent.slice(64)).toEqual([first.id, second.id]);
  for (const end of ends.values()) end();
  await worker.stop();
});
