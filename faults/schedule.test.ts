import { describe, expect, it } from 'vitest';
import { createSchedule, describeSchedule } from './schedule.ts';

describe('createSchedule', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(createSchedule(7)).toStrictEqual(createSchedule(7));
    expect(describeSchedule(createSchedule(7))).not.toBe(describeSchedule(createSchedule(8)));
  });

  it('never lets the service execute what an answer says was not executed', () => {
    const schedules = Array.from({ length: 200 }, (_, seed) => createSchedule(seed));
    const faults = schedules.flatMap(({ writes, reads }) => [...[...writes.values()].flat(), ...reads]);
    const denials = faults.filter((fault) => /429|401|422/.test(fault?.manner ?? ''));
    expect(denials.length).toBeGreaterThan(100);
    expect(denials.filter((fault) => fault?.commit !== 'never')).toStrictEqual([]);
  });
});
