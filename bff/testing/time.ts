import { setImmediate as nextTurn } from 'node:timers/promises';
import { vi } from 'vitest';
import { isStoreBusy } from './store/test-store.ts';

const stepMs = 250;
/** Work after a timer takes some commits of the store, each of which takes a turn of the event loop. */
const turns = 12;

/** Fakes timers and the wall clock. They also advance by themselves, since connections and the store take real time. */
export const useFakeTime = (more: ('setInterval' | 'clearInterval')[] = []): void =>
  void vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'Date', ...more],
    shouldAdvanceTime: true,
    advanceTimeDelta: 5,
  });

/** Lets the faked time pass, and waits for the work that follows. */
export async function passTime(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= stepMs) {
    await vi.advanceTimersByTimeAsync(Math.min(stepMs, left));
    for (let turn = 0; turn < turns; turn += 1) {
      await nextTurn();
      while (isStoreBusy()) await nextTurn();
    }
  }
}

/** Longer than the pause between two polls of the worker. */
const quietMs = 60;

/** Resolves when `isBusy` has been false for a while. Works with the real `setTimeout` only. */
export async function untilQuiet(isBusy: () => boolean): Promise<void> {
  for (
    let quietTurns = 0, since = performance.now();
    quietTurns < 50 || performance.now() - since < quietMs;
    quietTurns += 1
  ) {
    await nextTurn();
    if (isBusy()) [quietTurns, since] = [0, performance.now()];
  }
}
