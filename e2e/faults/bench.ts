import type { FaultBuild } from './servers/build.ts';
import { type Outcome, run } from './runs/run.ts';
import type { Profile } from './schedules/profiles.ts';
import { createSchedule, type Schedule } from './schedules/schedule.ts';
import { type Service, startService } from './servers/service.ts';
import { fastPace, startTime, type Time } from './time/time.ts';

const speed = 20;

export interface Series<O, S> {
  built: FaultBuild;
  firstSeed: number;
  runs: number;
  /** The number of concurrent runs, each with a service of its own. */
  jobs: number;
  onOutcome: (outcome: O, schedule: S) => void;
  /** Called before each run: no more runs start once it returns true. */
  isEnough?: () => boolean;
}

/**
 * Calls `each` with one seed after the other, at most `jobs` at once, each of them with a service of its own; no more
 * once `isEnough`.
 */
async function forSeeds(
  { built, firstSeed, runs, jobs, isEnough = () => false }: Omit<Series<never, never>, 'onOutcome'>,
  time: Time,
  each: (seed: number, service: Service) => Promise<void>,
): Promise<void> {
  let seed = firstSeed;
  async function work(): Promise<void> {
    const service = await startService(built, time);
    try {
      while (seed < firstSeed + runs && !isEnough()) await each(seed++, service);
    } finally {
      await service.stop();
    }
  }
  await Promise.all(Array.from({ length: Math.min(jobs, runs) }, work));
}

/** Runs the schedules of `runs` seeds. */
export function runSeries(series: Series<Outcome, Schedule> & { profile: Profile }): Promise<void> {
  const { built, profile, onOutcome } = series;
  const time = startTime(fastPace(speed));
  return forSeeds(series, time, async (seed, service) => {
    const schedule = createSchedule(seed, profile);
    onOutcome(await run(schedule, { built, time, service }), schedule);
  });
}
