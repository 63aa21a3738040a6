import { describe, expect, it } from 'vitest';
import { lateMutants } from './mutants.ts';
import { searchLate } from './search.ts';

// In real time, mostly waiting, so it runs at the same time as the mutants of due times.
describe.concurrent('due times, of calls that failed, of a process killed in mid-send, and with the clock set', () => {
  it('are kept within a second', async () => {
    const { explanation, times } = await searchLate([], { firstSeed: 1, runs: 8 });
    expect(explanation).toBe('');
    expect(times).toBeGreaterThan(10);
  });

  it.each(lateMutants)('show a delivery that $name', async ({ mutations, seed }) => {
    const { wrong } = await searchLate(mutations, { firstSeed: seed, runs: 1 });
    expect(wrong).toContainEqual(expect.stringMatching(/^late/));
  });
});
