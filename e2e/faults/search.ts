import { runSeries } from './bench.ts';
import { buildForFaults, type FaultBuild, type Mutation } from './servers/build.ts';
import { createTally } from './report.ts';
import type { Profile } from './schedules/profiles.ts';

interface Found {
  /** The violations, one line each. */
  wrong: string[];
  /** The runs that failed, explained. */
  explanation: string;
}

interface Series {
  built: FaultBuild;
  jobs: number;
  isEnough: () => boolean;
}

/**
 * Runs a series on a build with these mutations until a run fails.
 * @throws when none fails and too many were void
 */
async function findFailure(
  mutations: readonly Mutation[],
  { failures, tooManyVoid }: Pick<ReturnType<typeof createTally>, 'failures' | 'tooManyVoid'>,
  runAll: (series: Series) => Promise<void>,
): Promise<Found> {
  const built = await buildForFaults(mutations);
  try {
    await runAll({ built, jobs: 4, isEnough: () => failures.length > 0 });
  } finally {
    await built.remove();
  }
  const reason = tooManyVoid();
  if (failures.length === 0 && reason) throw new Error(reason);
  return {
    wrong: failures.flatMap(({ wrong }) => wrong),
    explanation: failures.map(({ explanation }) => explanation).join('\n'),
  };
}

/**
 * Runs schedules until one fails. `sends`: how many sends the runs had.
 * @throws when none fails and too many were void
 */
export async function search(
  mutations: readonly Mutation[],
  asked: { profile: Profile; firstSeed: number; runs: number },
): Promise<Found & { sends: number }> {
  const tally = createTally();
  const found = await findFailure(mutations, tally, (series) =>
    runSeries({ ...series, ...asked, onOutcome: tally.add }),
  );
  return { ...found, sends: tally.sends() };
}
