import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import type { Clock } from '../../core/clock.ts';
import type { SendRequest } from '../../core/delivery/record.ts';
import { createQueue } from '../../core/delivery/due.ts';
import type { Sender } from '../../core/delivery/send.ts';
import { createWorker } from '../../core/delivery/worker.ts';
import { createMetrics } from '../../core/metrics/metrics.ts';
import type { Store } from '../../core/store/open.ts';
import type { OperationRow } from '../../core/store/schema.ts';
import { createOperations } from '../../core/tickets/operations.ts';
import { passTime } from '../time.ts';
import { createTestLedger, newTicket, testSession } from './ledger.ts';

/** A worker on a real ledger. `send` stands in for the service; the outcome of a send is not recorded. */
export function createTestWorker(
  store: Store,
  clock: Pick<Clock, 'now' | 'elapsed'>,
  send: (row: OperationRow) => Promise<void>,
  onError: (error: unknown) => void = (error) => expect.unreachable(String(error)),
) {
  const ledger = createTestLedger({ store, leaseMs: 30_000, ...clock });
  const queue = createQueue({ store });
  const operations = createOperations(store);
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
    sender: { send: step } as Partial<Sender> as Sender,
    operations,
    durations: createMetrics().deliveryDurations,
    onJump: () => {},
    onError,
  });
  return {
    worker,
    ledger,
    operations,
    poll,

    record: async (request: SendRequest = newTicket) =>
      (await ledger.record(testSession, randomUUID(), request)).row,

    /** Starts the worker, and waits for the end of its first poll. */
    async startIdle(): Promise<void> {
      await worker.start();
      while (poll.mock.settledResults.at(-1)?.type !== 'fulfilled') await passTime(1);
      await passTime(1);
      poll.mockClear();
    },
  };
}

/** Sends that do not end before `end` is called. */
export function endlessSends() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  const sent: string[] = [];
  const send = ({ id }: OperationRow) => (sent.push(id), ended);
  return { sent, send, end };
}
