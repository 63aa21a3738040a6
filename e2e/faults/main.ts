import { parseArgs } from 'node:util';
import { buildIfNeeded } from '../../scripts/build-if-needed.ts';
import { run } from '../../scripts/run.ts';
import { runSeries } from './bench.ts';
import { buildForFaults, type FaultBuild } from './servers/build.ts';
import { runAnswers } from './runs/answers.ts';
import { createTally } from './report.ts';
import { profiles } from './schedules/profiles.ts';

const usage = `Usage: npm run faults -- [--seed N] [--runs M] [--jobs J] [--profile everything|set-back|files]
    runs the schedules of M seeds from N on, J at once; a run that fails is printed, and made again by its seed
  npm run faults -- --answers [--seed N]
    200 answers come by mail while BFF, mailbox and service are killed or away
  npm run faults -- --power-cuts [--seed N] [--runs M]
    the power of one server under load is cut M times, and that of a backup and of a restore`;

const print = (text: string) => process.stdout.write(`${text}\n`);

async function runSchedules(
  series: Pick<Parameters<typeof runSeries>[0], 'built' | 'profile' | 'firstSeed' | 'runs' | 'jobs'>,
): Promise<boolean> {
  const tally = createTally(({ explanation }) => print(explanation));
  await runSeries({
    ...series,
    onOutcome(outcome, schedule) {
      tally.add(outcome, schedule);
      process.stderr.write(`\r${tally.summary()} `);
    },
  });
  process.stderr.write('\n');
  print(tally.print());
  return !tally.hasFailed();
}

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string' },
    jobs: { type: 'string', default: '6' },
    profile: { type: 'string', default: 'everything' },
    answers: { type: 'boolean', default: false },
    'power-cuts': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const whole = (text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : NaN);
const profile = Object.entries(profiles).find(([name]) => name === values.profile)?.[1];
const runs = values.runs ?? (values['power-cuts'] ? '4000' : '100');
const isUsable = profile && [values.seed, runs, values.jobs].every((text) => whole(text) > 0);

async function runAsAsked(built: FaultBuild): Promise<boolean> {
  const seed = whole(values.seed);
  if (values.answers) {
    const asked = { seed, customers: 50, each: 4, disturbances: 30 };
    const { report, wrong, unreached } = await runAnswers(built, asked);
    print([report, ...wrong, ...unreached.map((what) => `never reached: ${what}`)].join('\n'));
    return wrong.length === 0 && unreached.length === 0;
  }
  return runSchedules({
    built,
    profile: profile!,
    firstSeed: seed,
    runs: whole(runs),
    jobs: whole(values.jobs),
  });
}

process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

if (values.help) print(usage);
else if (!isUsable) {
  process.stderr.write(`${usage}\n`);
  process.exitCode = 2;
} else if (values['power-cuts']) {
  const env = { CUTS_SEED: values.seed, CUTS: runs };
  process.exitCode = (await run('vitest', ['run', '--project', 'faults', 'e2e/faults/cuts'], env)) ? 0 : 1;
} else {
  await buildIfNeeded();
  const built = await buildForFaults();
  try {
    process.exitCode = (await runAsAsked(built)) ? 0 : 1;
  } finally {
    await built.remove();
  }
}
