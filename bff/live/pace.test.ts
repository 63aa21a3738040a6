import { describe, expect, it } from 'vitest';
import { createBudget, pauseMs } from './pace.ts';

const config = { activeMs: 2_000, idleMs: 15_000 };
const pause = (more: object) => pauseMs({ isOnScreen: true, quietMs: 0, failures: 0, ...more }, config, 0.5);

describe('the pause between reads', () => {
  it('is short on screen, longer for the badge', () => {
    expect(pause({})).toBe(2_000);
    expect(pause({ isOnScreen: false })).toBe(15_000);
  });

  it('grows in long silence and with failures, up to five minutes', () => {
    expect(pause({ quietMs: 11 * 60_000 })).toBe(4_000);
    expect(pause({ quietMs: 10 * 3_600_000 })).toBe(8_000);
    expect(pause({ failures: 3 })).toBe(16_000);
    expect(pause({ isOnScreen: false, failures: 50, quietMs: 1e9 })).toBe(300_000);
  });

  it('has jitter', () => {
    expect(pauseMs({ isOnScreen: true, quietMs: 0, failures: 0 }, config, 0)).toBe(1_800);
    expect(pauseMs({ isOnScreen: true, quietMs: 0, failures: 0 }, config, 1)).toBe(2_200);
  });
});

it('a budget allows bursts and then a steady rate', () => {
  let time = 0;
  const budget = createBudget(10, () => time);
  expect(Array.from({ length: 25 }, () => budget.take()).filter(Boolean)).toHaveLength(20);
  time = 500;
  expect(Array.from({ length: 25 }, () => budget.take()).filter(Boolean)).toHaveLength(5);
});
