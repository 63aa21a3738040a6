import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { buildIfNeeded } from '../../scripts/build-if-needed.ts';
import type { FakeService } from '../../scripts/fake-service.ts';
import type { StoredTicket } from '../faults/servers/service.ts';
import { type AgentAnswer, audit } from './audit.ts';
import { type CustomerLog, startCustomers } from './customers.ts';
import { type Happened, runEvents } from './events.ts';
import { arrivalMs, markerOf, planCustomers, planEvents } from './plan.ts';
import { measureRecovery } from './recovery.ts';
import { reportOf } from './report.ts';
import { startEnvironment } from './servers/environment.ts';
import { timing } from './servers/instance.ts';
import { halfRecorded } from './store-checks.ts';

const usage = `Usage: npm run cluster -- [--minutes N] [--seed S] [--customers C] [--webhook off]
    three BFFs on one PostgreSQL behind PgBouncer and nginx, and C customers, for N minutes; one after the other an
    instance is killed, frozen, ended or cut off, or the database goes away, as the seed decides. Fails when a message
    was lost, came twice or came to somebody else. The service sends webhooks through the balancer; with --webhook off
    answers are found by reading alone.
       npm run cluster -- --recovery
    two of them, and how much of their throughput returns within ten seconds after each disturbance.`;

const instanceCount = 3;
/** From the arrival of the last customer to the first event, in milliseconds. */
const warmUpMs = 8_000;
/** No event happens for so long at the end, and no customer writes in its second half: everything in doubt is settled. */
const calmMs = 30_000;
const settleWithinMs = 3 * timing.settleMs;
const lookEveryMs = 1_000;
const mostRounds = 1_000;

interface Asked {
  seed: number;
  minutes: number;
  customers: number;
  hasWebhook: boolean;
}

/** Answers customers who have a conversation on screen, until `untilMs` of `performance.now()`. */
async function answerCustomers(
  service: FakeService,
  customers: readonly CustomerLog[],
  untilMs: number,
  answers: AgentAnswer[],
): Promise<void> {
  const perSecond = customers.length / 60;
  while (performance.now() < untilMs) {
    await sleep((1_000 / perSecond) * 2 * Math.random());
    const listening = customers.filter(({ stream }) => stream.lives.length > 0);
    const one = listening[Math.floor(Math.random() * listening.length)];
    if (!one) continue;
    const body = `${markerOf(one.number)} answer ${answers.length}`;
    const atMs = performance.now();
    const { id } = service.addMessage(one.ticketId!, 'agent', body);
    answers.push({ customer: one.number, messageId: id, atMs });
  }
}

const storedAt = (service: FakeService): StoredTicket[] =>
  [...service.tickets.values()].map(({ id, customer_email, subject, description, messages }) => ({
    id,
    email: String(customer_email),
    subject: String(subject),
    description: String(description),
    messages: messages.filter(({ author_type: author }) => author === 'customer'),
  }));

/** Runs everything once: what went wrong, a report, and the last log lines of each instance. */
async function runCluster({ seed, minutes, customers: count, hasWebhook }: Asked) {
  const environment = await startEnvironment(instanceCount, hasWebhook);
  const { service, instances, database } = environment;
  try {
    const startedAt = performance.now();
    const untilMs = startedAt + minutes * 60_000;
    const happened: Happened[] = [];
    const answers: AgentAnswer[] = [];
    const customers = startCustomers({
      url: environment.url,
      plans: planCustomers(seed, count, minutes * 60_000 - calmMs / 2),
      untilMs: untilMs + settleWithinMs,
    });
    const answering = answerCustomers(service, customers.logs, untilMs - calmMs / 2, answers);
    await sleep(arrivalMs(count) + warmUpMs);
    const planned = planEvents(seed, instanceCount, mostRounds);
    await runEvents(planned, { environment, untilMs: untilMs - calmMs, happened });
    await answering;
    await sleep(Math.max(0, untilMs - performance.now()));
    const hasArrived = ({ customer, messageId }: AgentAnswer) =>
      customers.logs[customer]!.stream.receivedAt.has(messageId);
    while (!answers.every(hasArrived) && performance.now() < untilMs + settleWithinMs)
      await sleep(lookEveryMs);
    await customers.stop();
    const storeFaults = await halfRecorded(database);
    const wrong = [
      ...audit({ customers: customers.logs, stored: storedAt(service), answers, storeFaults }),
      ...instances.flatMap(({ crashes }) => crashes),
    ];
    const title = `seed ${seed}, ${count} customers, ${minutes} minutes, webhooks ${hasWebhook ? 'on' : 'off'}`;
    return {
      wrong,
      report: reportOf({
        title,
        startedAt,
        wrong,
        customers: customers.logs,
        answers,
        happened,
      }),
      lines: instances.flatMap(({ name, lines }) =>
        lines.slice(-20).map((line) => `${name}: ${line.slice(0, 400)}`),
      ),
    };
  } finally {
    await environment.stop();
  }
}

const print = (text: string) => process.stdout.write(`${text}\n`);

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    customers: { type: 'string', default: '300' },
    webhook: { type: 'string', default: 'on' },
    recovery: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const [minutes, seed, count] = [values.minutes, values.seed, values.customers].map((text) =>
  /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null,
);

process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

if (values.help) print(usage);
else if (values.recovery) {
  await buildIfNeeded();
  const { report, wrong } = await measureRecovery();
  print([report, ...wrong].join('\n'));
  process.exitCode = wrong.length > 0 ? 1 : 0;
} else if (!minutes || !seed || !count || !['on', 'off'].includes(values.webhook)) {
  process.stderr.write(`${usage}\n`);
  process.exitCode = 2;
} else {
  await buildIfNeeded();
  const hasWebhook = values.webhook === 'on';
  const { wrong, report, lines } = await runCluster({ minutes, seed, customers: count, hasWebhook });
  if (wrong.length > 0) print(['The last log lines', ...lines].join('\n'));
  print(report);
  process.exitCode = wrong.length > 0 ? 1 : 0;
}
