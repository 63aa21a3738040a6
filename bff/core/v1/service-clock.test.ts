import { beforeEach, describe, expect, it } from 'vitest';
import { createServiceClock } from './service-clock.ts';

const yearMs = 365 * 24 * 3_600_000;
const start = Date.UTC(2026, 0, 1, 12);
const date = (ms: number) => new Date(ms).toUTCString();

let wall: number;
let passed: number;
let clock: ReturnType<typeof createServiceClock>;
beforeEach(() => {
  wall = start;
  passed = 1_000.25;
  clock = createServiceClock({ now: () => wall, elapsed: () => passed });
});

describe('the service’s clock', () => {
  it('is unknown before the first answer', () => {
    expect(clock.now()).toBeNull();
    expect(clock.observe('undefined')).toBeNull();
  });

  it('is accepted at once where it agrees with ours, and advances by the monotonic clock', () => {
    expect(clock.observe(date(start - 3_000))).toBe(start - 3_000);
    passed += 60_000.5;
    wall -= 3_600_000;
    expect(clock.now()).toBe(start - 3_000 + 60_001);
  });

  it('that differs from ours is accepted when a second answer agrees', () => {
    expect(clock.observe(date(start + yearMs))).toBeNull();
    passed += 10_000;
    expect(clock.observe(date(start + yearMs + 10_000))).toBe(start + yearMs + 10_000);
  });

  it('is not changed by one answer with a wrong date', () => {
    clock.observe(date(start));
    expect(clock.observe(date(start + yearMs))).toBe(start);
    expect(clock.observe(date(start))).toBe(start);
    expect(clock.observe(date(start - yearMs))).toBe(start);
    expect(clock.observe('no date')).toBe(start);
  });

  it('changes when two answers in a row agree on another time', () => {
    clock.observe(date(start));
    clock.observe(date(start + yearMs));
    passed += 1_000;
    expect(clock.observe(date(start + yearMs))).toBe(start + yearMs);
  });
});
