import { describe, expect, it } from 'vitest';
import { clockJumps, wrongDates } from './faults.ts';
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

  it('shifts the BFF’s clock both ways, for a while or permanently, and has every kind of wrong Date header', () => {
    const schedules = Array.from({ length: 200 }, (_, seed) => createSchedule(seed));
    const shifts = schedules.flatMap(({ clockShifts }) => clockShifts);
    const isForGood = ({ toMs }: { toMs: number }) => toMs > 900_000;
    for (const byMs of clockJumps) {
      const ofThis = shifts.filter((shift) => shift.byMs === byMs);
      expect(ofThis.some(isForGood)).toBe(true);
      expect(ofThis.every(isForGood)).toBe(false);
    }
    const single = new Set(schedules.flatMap(({ dates }) => dates));
    const ofPhases = new Set(schedules.flatMap(({ datePhases }) => datePhases.map(({ date }) => date)));
    for (const date of wrongDates) expect([single.has(date), ofPhases.has(date)]).toEqual([true, true]);
  });
});
