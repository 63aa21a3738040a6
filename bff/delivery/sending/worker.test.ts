import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
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
import { createWorker } from './worker.ts';

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
  const worker = createWorker({
    ...clock,
    ledger: { ...ledger, bringForward: async () => {} },
    queue,
    sender: {
      async send(row: OperationRow) {
        await send(row);
        await store.updateTable('operations').set({ due_at: null }).where('id', '=', row.id).execute();
        return { row, isAnswered: null, record: async () => null };
      },
    } as Partial<Sender> as Sender,
    operations: createOperations(store),
    housekeep: async () => {},
    durations: createMetrics().deliveryDurations,
    onJump: () => {},
    onError: (error) => expect.unreachable(String(error)),
  });
  const accept = async () => (await ledger.accept(session, randomUUID(), ticket)).row;
  return { worker, accept, poll };
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
  await worker.start();
  await vi.waitUntil(() => poll.mock.settledResults.at(-1)?.type === 'fulfilled');
  await passTime(0);
  const rows = [];
  for (let n = 0; n < 20; n += 1) rows.push(await accept());
  poll.mockClear();
  for (const row of rows) worker.send(row);
  expect(sent).toHaveLength(16);
  for (const [n, end] of ends.entries()) {
    end();
    await vi.waitUntil(() => sent.length >= Math.min(17 + n, 20));
  }
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
      if (sent.length < 100) worker.send(await accept());
    },
  );
  await worker.start();
  await passTime(0);
  const [left, ...rows] = await Promise.all(Array.from({ length: 40 }, accept));
  for (const row of rows) worker.send(row);
  await vi.waitUntil(() => sent.includes(left!.id));
  expect(sent.indexOf(left!.id)).toBeLessThan(50);
  await worker.stop();
});
