import { runDueSeries, runSeries } from './bench.ts';
import { buildForFaults } from './build.ts';
import { describeSchedule } from './describe.ts';
import { describeDueSchedule } from './due-schedule.ts';
import type { Mutant } from './mutants.ts';
import { explain } from './report.ts';
import type { Profile } from './schedule.ts';

const jobs = 4;

/** What is wrong in the first run in which anything is, explained; empty when nothing is. */
export async function search(
  mutations: Mutant['mutations'],
  series: { profile: Profile; firstSeed: number; runs: number },
): Promise<{ wrong: string[]; explanation: string; sends: number }> {
  const built = await buildForFaults(mutations);
  const found = { wrong: [] as string[], explanation: '', sends: 0 };
  try {
    await runSeries({
      ...series,
      built,
      jobs,
      isEnough: () => found.wrong.length > 0,
      onOutcome(outcome, schedule) {
        if (outcome.isVoid) return;
        found.sends += outcome.sent.length;
        if (outcome.wrong.length === 0 || found.wrong.length > 0) return;
        found.wrong = outcome.wrong;
        found.explanation = explain(outcome, describeSchedule(schedule));
      },
    });
  } finally {
    await built.remove();
  }
  return found;
}

/** The same of the runs about due times, all of them; `times`: how many were looked at. */
export async function searchLate(mutations: Mutant['mutations'], firstSeed: number, runs: number) {
  const built = await buildForFaults(mutations);
  const found = { wrong: [] as string[], explanation: '', times: 0 };
  try {
    await runDueSeries({
      built,
      firstSeed,
      runs,
      jobs,
      onOutcome(outcome, schedule) {
        if (outcome.isVoid) return;
        found.times += outcome.lateMs.length;
        found.wrong.push(...outcome.wrong);
        if (outcome.wrong.length > 0) found.explanation += explain(outcome, describeDueSchedule(schedule));
      },
    });
  } finally {
    await built.remove();
  }
  return found;
}
