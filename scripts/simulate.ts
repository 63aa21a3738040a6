import { parseArgs } from 'node:util';
import { run } from './run.ts';

const usage = `Usage: npm run simulate -- [--seed N] [--runs M]
    M schedules of each kind, drawn from seed N, of three instances in one process; one that fails is made as short as it
    can be, and printed`;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '2000' },
    help: { type: 'boolean', default: false },
  },
});

const isUsable = [values.seed, values.runs].every((text) => /^[1-9]\d{0,8}$/.test(text));
if (values.help || !isUsable) {
  console[values.help ? 'log' : 'error'](usage);
  process.exitCode = values.help ? 0 : 2;
} else {
  const isGood = await run('vitest', ['run', '--project', 'bff', 'bff/core/delivery/simulation.test.ts'], {
    FUZZ_SEED: values.seed,
    SIMULATION_RUNS: values.runs,
  });
  process.exitCode = isGood ? 0 : 1;
}
