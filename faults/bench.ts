import type { FaultBuild } from './build.ts';
import { type Outcome, run } from './run.ts';
import { createSchedule, type Profile, type Schedule } from './schedule.ts';
import { startService } from './service.ts';
import { fastPace, startTime } from './time.ts';

const speed = 20;

export interface Series {
  built: FaultBuild;
  profile: Profile;
  firstSeed: number;
  runs: number;
  /** How many at once, each with a service of its own. */
  jobs: number;
  onOutcome: (outcome: Outcome, schedule: Schedule) => void;
  /** Asked before each run; nothing more is started once it says so. */
  isEnough?: () => boolean;
}

/** Runs the schedules of `runs` seeds. */
export async function runSeries(series: Series): Promise<void> {
  const { built, profile, firstSeed, runs, jobs, onOutcome, isEnough = () => false } = series;
  const time = startTime(fastPace(speed));
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
