import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTestStore } from '../../../testing/store/test-store.ts';
import type { Store } from '../open.ts';
import { followServerClock } from './server-clock.ts';

/** The server and the test run on one machine. */
const toleranceMs = 2_000;
const hourMs = 3_600_000;

let store: Store;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'], now: Date.now() + 2 * hourMs });
  store = await openTestStore();
});
afterEach(async () => {
  vi.useRealTimers();
  await store.destroy();
});

const realNow = () => performance.timeOrigin + performance.now();
const expectServerTime = (ms: number) => expect(Math.abs(ms - realNow())).toBeLessThan(toleranceMs);

async function follow(elapsed = () => performance.now()) {
  const failures: unknown[] = [];
  const clock = await followServerClock({ store, elapsed, onError: (error) => failures.push(error) });
  return { clock, failures };
}

describe('the clock that instances share', () => {
  it('is that of the server, in whole milliseconds, though the wall clock of the process is two hours ahead', async () => {
    const { clock } = await follow();
    expectServerTime(clock.now());
    expect(clock.now()).toBe(Math.floor(clock.now()));
    clock.stop();
  });

  it('is read again, so that a process that was suspended returns to the correct time', async () => {
    let suspendedMs = 0;
    const { clock } = await follow(() => performance.now() - suspendedMs);
    suspendedMs = hourMs;
    expect(clock.now()).toBeLessThan(realNow() - hourMs + toleranceMs);
    vi.advanceTimersByTime(10_000);
    await expect.poll(() => Math.abs(clock.now() - realNow())).toBeLessThan(toleranceMs);
    clock.stop();
  });

  it('keeps its last reading when an answer took an hour', async () => {
    let calls = 0;
    let lateMs = 0;
    const { clock } = await follow(() => performance.now() + (calls++ === 3 ? (lateMs = hourMs) : lateMs));
    vi.advanceTimersByTime(10_000);
    // The clock is read before and after each of the two queries.
    await expect.poll(() => calls).toBe(4);
    expectServerTime(clock.now() - hourMs);
    clock.stop();
  });

  it('continues while the server is away, and reports it', async () => {
    const { clock, failures } = await follow();
    const other = await openTestStore();
    await store.destroy();
    vi.advanceTimersByTime(10_000);
    await expect.poll(() => failures).toHaveLength(1);
    expectServerTime(clock.now());
    clock.stop();
    store = other;
  });
});
