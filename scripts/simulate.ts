import { parseArgs } from 'node:util';
import { run } from './run.ts';

const simulations = {
  deliveries: 'bff/core/delivery/simulation.test.ts',
  live: 'bff/core/live/simulation.test.ts',
  mails: 'bff/extras/mails/simulation.test.ts',
  'mails-in': 'bff/extras/mails/in/simulation.test.ts',
};

const usage = `Usage: npm run simulate -- [--seed N] [--runs M] [${Object.keys(simulations).join('|')}…]
    M schedules of each kind, drawn from seed N; one that fails is made as short as it can be, and printed`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '2000' },
    help: { type: 'boolean', default: false },
  },
});

const names = positionals.length > 0 ? positionals : Object.keys(simulations);
const areKnown = names.every((name) => Object.hasOwn(simulations, name));
const isUsable = areKnown && [values.seed, values.runs].every((text) => /^[1-9]\d{0,8}$/.test(text));
if (values.help || !isUsable) {
  console[values.help ? 'log' : 'error'](usage);
  process.exitCode = values.help ? 0 : 2;
} else {
  const settings = { FUZZ_SEED: values.seed, SIMULATION_RUNS: values.runs };
  // Each in a process of its own, which counts the branches of nothing else.
  for (const name of names) {
    const file = simulations[name as keyof typeof simulations];
    if (!(await run('vitest', ['run', '--project', 'bff', file], settings))) process.exitCode = 1;
  }
}
