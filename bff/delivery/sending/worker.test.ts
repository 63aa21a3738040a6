import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import type { Clock } from '../../clock.ts';
import type { Session } from '../../session/sessions.ts';
import { createMetrics } from '../../metrics/metrics.ts';
import type { Store } from '../../store/open.ts';
import { openTestStore } from '../../testing/store/test-store.ts';
import { passTime } from '../../testing/time.ts';
import type { OperationRow } from '../../store/schema.ts';
import { createSeal } from '../../store/seal.ts';
import { createOperations } from '../../tickets/operations.ts';

import { createTestLedger } from '../../testing/ledger.ts';
import { createQueue } from '../ledger/queue.ts';
import type { Sender } from './send.ts';
import { createWorker, type Worker } from './worker.ts';

const start = Date.UTC(2026, 0, 1);
const session = { id: 'session', subjectId: 'subject' } as Session;

let store: Store;
beforeEach(async () => {
  store = await openTestStore();
  await store.insertInto('subjects').values({ id: 'subject', verified: 0, created_at: start }).execute();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await store.destroy();
});

const ticket = {
  kind: 'ticket',
  payload: { subject: 'Lid', description: 'Chipped', customer_email: 'ada@example.com' },
} as const;

function createTestWorker(clock: Pick<Clock, 'now' | 'elapsed'>, send: (row: OperationRow) => Promise<void>) {
  const seal = createSeal('a secret of more than thirty-two characters');
  const ledger = createTestLedger({ store, seal, settleMs: 600_000, leaseMs: 30_000, ...clock });
  const queue = createQueue({ store });
  const poll = vi.spyOn(queue, 'poll');
  async function step(row: OperationRow) {
    await send(row);
    await store.updateTable('operations').set({ due_at: null }).where('id', '=', row.id).execute();
    return { row, isAnswered: null, record: async () => null };
  }
  const worker = createWorker({
    ...clock,
    ledger: Object.assign(ledger, { bringForward: async () => {} }),
    queue,
    sender: {
      attempt: () => ({ seenIds: [], startedThere: null, hasRef: true }),
      send: step,
      sendBegun: step,
    } as Partial<Sender> as Sender,
    operations: createOperations(store),
    housekeep: async () => {},
    durations: createMetrics().deliveryDurations,
    onJump: () => {},
    onError: (error) => expect.unreachable(String(error)),
  });
  const accept = async () => (await ledger.accept(session, randomUUID(), ticket)).row;
  return { worker, accept, poll, ledger };
}

/** Starts the worker, and waits for the end of its first poll, which reserves a place. */
async function startIdle(worker: Worker, poll: MockInstance): Promise<void> {
  await worker.start();
  await vi.waitUntil(() => poll.mock.settledResults.at(-1)?.type === 'fulfilled');
  await passTime(0);
}

it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])(
  'a send that becomes due at the %ith reading of the clock is sent at once, at any point of a poll',
  async (readings) => {
    let read = 0;
    const now = () => start + read++;
    const sent: string[] = [];
    const { worker, accept } = createTestWorker(
      { now, elapsed: () => 0 },
      async ({ id }) => void sent.push(id),
    );
    const accepted = await accept();
    read = 0;
    await store
      .updateTable('operations')
      .set({ due_at: start + readings })
      .execute();
    await worker.start();
    await passTime(3_000);
    expect(sent).toEqual([accepted.id]);
    await worker.stop();
  },
);

it('sends accepted while every place is taken are sent in order as places become free, without a poll', async () => {
  const sent: string[] = [];
  const ends: (() => void)[] = [];
  const { worker, accept, poll } = createTestWorker({ now: () => start, elapsed: () => 0 }, ({ id }) => {
    sent.push(id);
    return new Promise((resolve) => ends.push(resolve));
  });
  await startIdle(worker, poll);
  const rows = [];
  for (let n = 0; n < 70; n += 1) rows.push(await accept());
  poll.mockClear();
  for (const row of rows) worker.send(row);
  expect(sent).toHaveLength(64);
  for (const end of ends.slice(0, 6)) end();
  await vi.waitUntil(() => sent.length === 70);
  expect(sent).toEqual(rows.map(({ id }) => id));
  expect(poll).not.toHaveBeenCalled();
  for (const end of ends) end();
  await worker.stop();
});

it('a send abandoned by another process is sent though accepted ones take every place', async () => {
  const sent: string[] = [];
  let ms = 0;
  const { worker, accept } = createTestWorker(
    { now: () => start + ms, elapsed: () => ms },
    async ({ id }) => {
      sent.push(id);
      ms += 20;
      // Another operation arrives for each one that is sent.
      if (sent.length < 250) worker.send(await accept());
    },
  );
  await worker.start();
  await passTime(0);
  const [left, ...rows] = await Promise.all(Array.from({ length: 100 }, accept));
  for (const row of rows) worker.send(row);
  await vi.waitUntil(() => sent.includes(left!.id));
  expect(sent.indexOf(left!.id)).toBeLessThan(150);
  await worker.stop();
});

it('of many sends that a poll finds, a service that was down gets few at once', async () => {
  const ends: (() => void)[] = [];
  const send = () => new Promise<void>((resolve) => ends.push(resolve));
  const { worker, accept, poll } = createTestWorker({ now: () => start, elapsed: () => 0 }, send);
  for (let n = 0; n < 40; n += 1) await accept();
  await startIdle(worker, poll);
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

describe('a send that is recorded', () => {
  const clock = { now: () => start, elapsed: () => 0 };
  const record = (worker: Worker, key: string = randomUUID()) => worker.accept(session, key, ticket);
  /** Sends that do not end before `end` is called. */
  function endless() {
    let end = () => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    return { send: () => ended, end };
  }
  const stateOf = async (id: string) =>
    (await store.selectFrom('operations').select('state').where('id', '=', id).executeTakeFirst())?.state;
  const recordMany = async (worker: Worker, count: number) =>
    (await Promise.all(Array.from({ length: count }, () => record(worker)))).map(({ row }) => row.state);

  it('while a place is free is begun in the same write, and sent without a poll', async () => {
    const sent: string[] = [];
    const { worker, poll } = createTestWorker(clock, async ({ id }) => void sent.push(id));
    await startIdle(worker, poll);
    poll.mockClear();
    const { row } = await record(worker);
    worker.send(row);
    expect(row).toMatchObject({ state: 'sending', attempts: 1 });
    expect(sent).toEqual([row.id]);
    expect(poll).not.toHaveBeenCalled();
    await worker.stop();
  });

  it('while every place is taken waits', async () => {
    const { send, end } = endless();
    const { worker, poll } = createTestWorker(clock, send);
    await startIdle(worker, poll);
    expect(new Set(await recordMany(worker, 64))).toEqual(new Set(['sending']));
    expect(await recordMany(worker, 1)).toEqual(['accepted']);
    end();
    await worker.stop();
  });

  it('again, or not at all, frees the place that was reserved for it', async () => {
    const { send, end } = endless();
    const { worker, ledger, poll } = createTestWorker(clock, send);
    await startIdle(worker, poll);
    const key = randomUUID();
    await record(worker, key);
    for (let n = 0; n < 64; n += 1) expect((await record(worker, key)).isNew).toBe(false);
    vi.spyOn(ledger, 'accept').mockRejectedValueOnce(new Error('broken'));
    await expect(record(worker)).rejects.toThrow('broken');
    expect(new Set(await recordMany(worker, 63))).toEqual(new Set(['sending']));
    end();
    await worker.stop();
  });

  it('and has ended before its request waits is answered at once', async () => {
    const { worker } = createTestWorker(clock, async ({ id }) => {
      await store.updateTable('operations').set({ state: 'done' }).where('id', '=', id).execute();
    });
    await worker.start();
    const { row } = await record(worker);
    await vi.waitUntil(async () => (await stateOf(row.id)) === 'done');
    await passTime(10);
    expect((await worker.waitFor(row, 5_000)).state).toBe('done');
    await worker.stop();
  });

  it('as begun, though its write seemed to fail, waits and is sent again', async () => {
    const sent: string[] = [];
    const { worker, ledger, poll } = createTestWorker(clock, async ({ state }) => void sent.push(state));
    await startIdle(worker, poll);
    const { accept } = ledger;
    vi.spyOn(ledger, 'accept').mockImplementationOnce(async (...args) => {
      await accept(...args);
      throw new Error('no answer');
    });
    const key = randomUUID();
    await expect(record(worker, key)).rejects.toThrow('no answer');
    await vi.waitUntil(async () => {
      const row = await store.selectFrom('operations').selectAll().executeTakeFirst();
      return row?.state === 'accepted' && row.lease_until === null && row.due_at! >= start;
    });
    expect(sent).toEqual([]);
    await store.updateTable('operations').set({ due_at: start }).execute();
    worker.poll();
    await vi.waitUntil(() => sent.length > 0);
    expect(sent).toEqual(['accepted']);
    await worker.stop();
  });

  it('while an earlier reply to its ticket is in progress is only recorded', async () => {
    await store
      .insertInto('tickets')
      .values({ id: 't1', facts_sealed: '', agent_count: 0, closed: 0, read_at: start })
      .execute();
    await store
      .insertInto('grants')
      .values({ subject_id: 'subject', ticket_id: 't1', created_at: start })
      .execute();
    const { send, end } = endless();
    const { worker, ledger, poll } = createTestWorker(clock, send);
    await startIdle(worker, poll);
    const accept = vi.spyOn(ledger, 'accept');
    const reply = { kind: 'message', to: { ticketId: 't1' }, payload: { body: 'Hello' } } as const;
    const first = await worker.accept(session, randomUUID(), reply);
    const second = await worker.accept(session, randomUUID(), reply);
    expect([first.row.state, second.row.state]).toEqual(['sending', 'accepted']);
    expect(accept.mock.calls.map(([, , , options]) => options?.attempt !== undefined)).toEqual([true, false]);
    end();
    await worker.stop();
  });

  it('during a stop is sent before the worker has stopped', async () => {
    const events: string[] = [];
    const { worker, ledger } = createTestWorker(clock, async () => void events.push('sent'));
    await worker.start();
    const { accept } = ledger;
    let stopped: Promise<unknown> | undefined;
    vi.spyOn(ledger, 'accept').mockImplementationOnce(async (...args) => {
      await passTime(1);
      stopped = worker.stop().then(() => events.push('stopped'));
      await passTime(10);
      return accept(...args);
    });
    await record(worker);
    await stopped;
    expect(events).toEqual(['sent', 'stopped']);
  });

  it('while the last place is reserved is sent when that place is not needed', async () => {
    const sent: string[] = [];
    const { send, end } = endless();
    const { worker, ledger, poll } = createTestWorker(clock, ({ id }) => (sent.push(id), send()));
    await startIdle(worker, poll);
    await recordMany(worker, 63);
    let fail = () => {};
    vi.spyOn(ledger, 'accept').mockReturnValueOnce(
      new Promise((_, reject) => (fail = () => reject(new Error('broken')))),
    );
    const failing = record(worker);
    const { row } = await record(worker);
    worker.send(row);
    expect(sent).not.toContain(row.id);
    fail();
    await expect(failing).rejects.toThrow('broken');
    expect(sent).toContain(row.id);
    end();
    await worker.stop();
  });

  it('after a stop is not begun', async () => {
    const { worker } = createTestWorker(clock, async () => {});
    await worker.start();
    await worker.stop();
    expect((await record(worker)).row.state).toBe('accepted');
  });
});
