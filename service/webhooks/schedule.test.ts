import { describe, expect, it } from 'vitest';
import { retryDelayMs } from './schedule.ts';

const delays = (random: number) =>
  Array.from({ length: 10 }, (_, index) => retryDelayMs(index + 1, () => random));

describe('retryDelayMs', () => {
  it('grows with every failure over about three days, then gives up', () => {
    const waits = delays(0);
    expect(waits[0]).toBe(5000);
    expect(waits.at(-1)).toBeNull();
    const given = waits.filter((wait) => wait !== null);
    expect(given.every((wait, index) => index === 0 || wait > given[index - 1]!)).toBe(true);
    const hours = given.reduce((sum, wait) => sum + wait, 0) / 3_600_000;
    expect(hours).toBeGreaterThan(72);
    expect(hours).toBeLessThan(80);
  });

  it('spreads each wait by at most a fifth', () => {
    expect(delays(1)[0]).toBe(6000);
  });
});
