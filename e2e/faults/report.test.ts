import { describe, expect, it } from 'vitest';
import { createTally } from './report.ts';
import { createSchedule } from './schedules/schedule.ts';

const schedule = createSchedule(1);
const outcome = { seed: 1, wrong: [], isVoid: false, faults: new Map<string, number>(), sent: [], lines: [] };

/** A tally of ten runs. */
function tallyOf({ voids, wrong = [] }: { voids: number; wrong?: string[] }) {
  const explanations: string[] = [];
  const tally = createTally(({ explanation }) => explanations.push(explanation));
  for (let run = 0; run < 10; run++) tally.add({ ...outcome, isVoid: run < voids }, schedule);
  if (wrong.length > 0) tally.add({ ...outcome, wrong, lines: ['the last line'] }, schedule);
  return { tally, explanations };
}

describe('a tally', () => {
  it('has not failed when half of the runs were void', () => {
    const { tally } = tallyOf({ voids: 5 });
    expect([tally.tooManyVoid(), tally.hasFailed()]).toEqual([null, false]);
    expect(tally.print()).toContain('10 runs, 0 sends; 5 void');
  });

  it('has failed with its reason when more runs were void', () => {
    const { tally } = tallyOf({ voids: 6 });
    expect([tally.tooManyVoid(), tally.hasFailed()]).toEqual([
      expect.stringContaining('6 of 10 runs were void'),
      true,
    ]);
    expect(tally.print()).toContain('The others tell too little.');
  });

  it('has failed with an explanation when one run had an error', () => {
    const { tally, explanations } = tallyOf({ voids: 0, wrong: ['lost: a reply'] });
    expect(tally.hasFailed()).toBe(true);
    expect(explanations).toEqual([expect.stringMatching(/the last line\n[^]*seed: 1[^]*lost: a reply/)]);
    expect(tally.print()).toContain('1 lost, 0 duplicated');
  });

  it('of many runs has failed when what they planned has never happened', () => {
    const tally = createTally();
    for (let run = 0; run < 100; run += 1) tally.add(outcome, schedule);
    expect(tally.hasFailed()).toBe(true);
    expect(tally.print()).toMatch(/never happened, though planned \d+ times: /);
  });
});
