import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createJumpDetector, systemClock, watchForJumps } from './clock.ts';

const hourMs = 3_600_000;

/** Two clocks that advance together. The wall clock can also be set alone. */
function fakeClock() {
  const clock = {
    wall: Date.UTC(2026, 0, 1),
    passed: 0,
    /** How long each reading of the monotonic clock takes. */
    readingMs: 0,
    now: () => clock.wall,
    elapsed: () => (clock.passed += clock.readingMs),
    pass(ms: number) {
      clock.wall += ms;
      clock.passed += ms;
    },
  };
  return clock;
}

describe('a jump of the wall clock', () => {
  it.each([2 * hourMs, -2 * hourMs, 300])('of %i ms is reported once', (ms) => {
    const clock = fakeClock();
    const jump = createJumpDetector(clock);
    clock.pass(15_000);
    clock.wall += ms;
    clock.pass(500);
    expect([jump(), jump()]).toEqual([ms, 0]);
  });

  it('is not reported for drift, however long it lasts', () => {
    const clock = fakeClock();
    const jump = createJumpDetector(clock);
    const jumps = Array.from({ length: 1_000 }, () => {
      clock.pass(500);
      clock.wall += 1;
      return jump();
    });
    expect(new Set(jumps)).toEqual(new Set([0]));
  });

  it('is not reported when the process is delayed between two readings', () => {
    const clock = fakeClock();
    const jump = createJumpDetector(clock);
    clock.readingMs = 10_000;
    expect(jump()).toBe(0);
    clock.readingMs = 0;
    clock.wall += 2 * 10_000;
    expect(jump()).toBe(0);
  });
});

describe('watching for jumps', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('reports a jump within half a second, until it is stopped', () => {
    const clock = fakeClock();
    const jumps: number[] = [];
    const stop = watchForJumps(clock, (aheadMs) => jumps.push(aheadMs));
    clock.wall -= hourMs;
    vi.advanceTimersByTime(500);
    expect(jumps).toEqual([-hourMs]);
    stop();
    clock.wall += hourMs;
    vi.advanceTimersByTime(5_000);
    expect(jumps).toEqual([-hourMs]);
  });
});

it('the system clock gives whole milliseconds', () => {
  expect(Number.isInteger(systemClock.now())).toBe(true);
});
