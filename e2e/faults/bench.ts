import { createTally } from './report.ts';
import { type Outcome, run } from './runs/run.ts';
import type { Profile } from './schedules/profiles.ts';
import { createSchedule, type Schedule } from './schedules/schedule.ts';
import { buildForFaults, type FaultBuild, type Mutation } from './servers/build.ts';
import { startService } from './servers/service.ts';
import { startTime } from './time/time.ts';

const speed = 20;

interface Series {
  built: FaultBuild;
  profile: Profile;
  firstSeed: number;
  runs: number;
  /** The number of concurrent runs, each with a service of its own. */
  jobs: number;
  onOutcome: (outcome: Outcome, schedule: Schedule) => void;
  /** Called before each run: no more runs start once it returns true. */
  isEnough?: () => boolean;
}

/** Runs the schedules of `runs` seeds. */
export async function runSeries(series: Series): Promise<void> {
  const { built, profile, firstSeed, runs, jobs, onOutcome, isEnough = () => false } = series;
  const time = startTime(speed);
  let seed = firstSeed;
  async function work(): Promise<void> {
    const service = await startService(built, time);
    try {
      while (seed < firstSeed + runs && !isEnough()) {
        const schedule = createSchedule(seed++, profile);
        onOutcome(await run(schedule, { built, time, service }), schedule);
      }
    } finally {
      await service.stop();
    }
  }
  await Promise.all(Array.from({ length: Math.min(jobs, runs) }, work));
}

/**
 * Runs schedules on a build with these mutations until one fails.
 * @throws when none fails and too many were void
 */
export async function search(
  mutations: readonly Mutation[],
  asked: { profile: Profile; firstSeed: number; runs: number },
): Promise<{ wrong: string[]; explanation: string; sends: number }> {
  const built = await buildForFaults(mutations);
  const { add, failures, sends, tooManyVoid } = createTally();
  try {
    await runSeries({ ...asked, built, jobs: 4, onOutcome: add, isEnough: () => failures.length > 0 });
  } finally {
    await built.remove();
  }
  const reason = tooManyVoid();
  if (failures.length === 0 && reason) throw new Error(reason);
  return {
    wrong: failures.flatMap(({ wrong }) => wrong),
    explanation: failures.map(({ explanation }) => explanation).join('\n'),
    sends: sends(),
  };
}
