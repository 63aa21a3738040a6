import { describe, expect, it } from 'vitest';
import { createSchedule } from './schedule.ts';

describe('createSchedule', () => {
  it('is the same for the same seed, and differs for another', () => {
    expect(createSchedule(7)).toStrictEqual(createSchedule(7));
    expect({ ...createSchedule(7), seed: 8 }).not.toStrictEqual(createSchedule(8));
  });

  it('never lets the service execute a call whose answer proves that it was not executed', () => {
    const schedules = Array.from({ length: 200 }, (_, seed) => createSchedule(seed));
    const faults = schedules.flatMap(({ writes, reads }) => [...[...writes.values()].flat(), ...reads]);
    const denials = faults.filter((fault) => /429|401|422/.test(fault?.manner ?? ''));
    expect(denials.length).toBeGreaterThan(100);
    expect(denials.filter((fault) => fault?.commit !== 'never')).toStrictEqual([]);
  });
});
