import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Session } from '../session/sessions.ts';
import { createMetrics } from '../metrics/metrics.ts';
import type { Store } from '../store/open.ts';
import { openTestStore } from '../testing/store.ts';
import { passTime } from '../testing/time.ts';
import type { OperationRow } from '../store/schema.ts';
import { createSeal } from '../store/seal.ts';
import { createOperations } from '../tickets/operations.ts';

import { createTestLedger } from '../testing/ledger.ts';
import { createQueue } from './queue.ts';
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

it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])(
  'a send that becomes due at the %ith reading of the clock is sent at once, wherever in a look that is',
  async (readings) => {
    let read = 0;
    const now = () => start + read++;
    const clock = { now, elapsed: () => 0 };
    const seal = createSeal('a secret of more than thirty-two characters');
    const ledger = createTestLedger({ store, seal, settleMs: 600_000, leaseMs: 30_000, ...clock });
    const { row: accepted } = await ledger.accept(session, randomUUID(), {
      kind: 'ticket',
      payload: { subject: 'Lid', description: 'Chipped', customer_email: 'ada@example.com' },
    });
    const sent: string[] = [];
    const worker = createWorker({
      ...clock,
      ledger: { ...ledger, bringForward: async () => {} },
      queue: createQueue({ store }),
      sender: {
        async send(row: OperationRow) {
          sent.push(row.id);
          await store.updateTable('operations').set({ due_at: null }).execute();
          return { row, isAnswered: null, record: async () => null };
        },
      } as Partial<Sender> as Sender,
      operations: createOperations(store),
      housekeep: async () => {},
      durations: createMetrics().deliveryDurations,
      onJump: () => {},
      onError: (error) => expect.unreachable(String(error)),
    });
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
