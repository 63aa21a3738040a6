import { parseArgs } from 'node:util';
import { buildIfNeeded } from '../../scripts/build-if-needed.ts';
import { hasFault } from './judging/report.ts';
import { runCluster } from './run.ts';

const usage = `Usage: npm run cluster -- [--minutes N] [--seed S] [--customers C] [--webhook off] [--log]
    three BFFs on one PostgreSQL behind PgBouncer and nginx, and C customers, for N minutes; one after the other an
    instance is killed, frozen, ended or cut off, or the database goes away, as the seed decides. Fails when a message
    was lost, came twice or came to somebody else. The service sends webhooks through the balancer; with --webhook off
    answers are found by reading alone. --log prints what the instances logged last.`;

const print = (text: string) => process.stdout.write(`${text}\n`);

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    customers: { type: 'string', default: '300' },
    webhook: { type: 'string', default: 'on' },
    help: { type: 'boolean', default: false },
    log: { type: 'boolean', default: false },
  },
});
const whole = (text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : NaN);
const asked = {
  minutes: whole(values.minutes),
  seed: whole(values.seed),
  customers: whole(values.customers),
};
const hasWebhook = values.webhook === 'on';

// Everything that was started ends with this process.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

if (values.help) print(usage);
else if (!Object.values(asked).every((number) => number > 0) || !['on', 'off'].includes(values.webhook)) {
  process.stderr.write(`${usage}\n`);
  process.exitCode = 2;
} else {
  await buildIfNeeded();
  const { verdict, report, lines } = await runCluster({ ...asked, hasWebhook });
  if (values.log) print(['The last log lines', ...lines].join('\n'));
  print(report);
  process.exitCode = hasFault(verdict) ? 1 : 0;
}
