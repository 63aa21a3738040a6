import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { UnreachableError } from '../../store/errors.ts';
import type { Store } from '../../store/open.ts';
import { addSubject } from '../../testing/delivery/ledger.ts';
import { createTestWorker } from '../../testing/delivery/worker.ts';
import { openTestStore } from '../../testing/store/test-store.ts';
import { passTime } from '../../testing/time.ts';

const start = Date.UTC(2026, 0, 1);
const clock = { now: () => start, elapsed: () => 0 };

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

type TestWorker = ReturnType<typeof createTestWorker>;
const createWorker = (send: Parameters<typeof createTestWorker>[2]) => createTestWorker(store, clock, send);
const theOnlyRow = () => store.selectFrom('operations').selectAll().executeTakeFirstOrThrow();

describe('a send whose write gets no answer', () => {
  const unanswered = new UnreachableError(new Error('the connection broke'));

  /** Records a send. The store writes it when `commit` is called, but the write fails at once. */
  async function failToRecord({ ledger, record }: TestWorker) {
    const { accept } = ledger;
    let commit = async () => {};
    vi.spyOn(ledger, 'accept').mockImplementationOnce(async (...args) => {
      commit = async () => void (await accept(...args));
      throw unanswered;
    });
    await expect(record()).rejects.toThrow(unanswered);
    return () => commit();
  }
  const untilWithdrawn = () =>
    vi.waitUntil(async () => {
      const { state, lease_until, due_at } = await theOnlyRow();
      return state === 'accepted' && lease_until === null && due_at! >= start;
    });

  it('but was leased is withdrawn, and sent later', async () => {
    const sent: string[] = [];
    const test = createWorker(async ({ state }) => void sent.push(state));
    await test.startIdle();
    const commit = await failToRecord(test);
    await commit();
    await untilWithdrawn();
    expect(sent).toEqual([]);
    await store.updateTable('operations').set({ due_at: start }).execute();
    test.worker.poll();
    await vi.waitUntil(() => sent.length > 0);
    expect(sent).toEqual(['accepted']);
    await test.worker.stop();
  });

  it('is withdrawn though the store leases it only after the first look', async () => {
    const test = createWorker(async () => {});
    await test.startIdle();
    const commit = await failToRecord(test);
    await passTime(500);
    expect(test.poll).toHaveBeenCalled();
    await commit();
    await untilWithdrawn();
    await test.worker.stop();
  });

  it('is looked for until the store can no longer have it', async () => {
    let ms = 0;
    const test = createTestWorker(store, { now: () => start + ms, elapsed: () => ms }, async () => {});
    await test.startIdle();
    await failToRecord(test);
    const look = vi.spyOn(test.queue, 'leasedFirst');
    for (ms = 0; ms < 15_000; ms += 500) await passTime(500);
    expect(look.mock.calls.length).toBeGreaterThanOrEqual(9);
    expect(look.mock.calls.length).toBeLessThanOrEqual(12);
    await test.worker.stop();
  });

  it('is left alone if it was only recorded, and another process has begun it since', async () => {
    const test = createWorker(async () => {});
    await test.startIdle();
    const { id } = await test.recordElsewhere();
    const row = await theOnlyRow();
    expect(await test.ledger.begin(row, { seenIds: [], startedThere: null, hasRef: true })).not.toBeNull();
    expect(await test.queue.leasedFirst([id])).toEqual([]);
    await test.worker.stop();
  });

  it('is withdrawn when the worker stops', async () => {
    const test = createWorker(async () => {});
    await test.startIdle();
    const commit = await failToRecord(test);
    await commit();
    await test.worker.stop();
    expect(await theOnlyRow()).toMatchObject({ state: 'accepted', lease_until: null });
  });

  it('is published when it is withdrawn', async () => {
    const test = createWorker(async () => {});
    await test.startIdle();
    const states: string[] = [];
    test.worker.onChange(({ state }) => void states.push(state));
    const commit = await failToRecord(test);
    await commit();
    await untilWithdrawn();
    expect(states).toEqual(['accepted']);
    await test.worker.stop();
  });

  it('delays no other send, though it cannot be looked for', async () => {
    const errors: unknown[] = [];
    const sent: string[] = [];
    const test = createTestWorker(
      store,
      clock,
      async ({ id }) => void sent.push(id),
      (error) => void errors.push(error),
    );
    await test.startIdle();
    vi.spyOn(test.queue, 'leasedFirst').mockRejectedValue(unanswered);
    await failToRecord(test);
    const { id } = await test.recordElsewhere();
    test.worker.poll();
    await vi.waitUntil(() => sent.length > 0);
    expect(sent).toEqual([id]);
    expect(errors).toContain(unanswered);
    await test.worker.stop();
  });
});
