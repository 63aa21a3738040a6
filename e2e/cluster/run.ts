import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredTicket } from '../faults/servers/service.ts';
import { type AgentAnswer, answerCustomers } from './agent.ts';
import { audit, type Verdict } from './judging/audit.ts';
import { startCustomers } from './customers.ts';
import { type Happened, runEvents } from './events.ts';
import { timing } from './servers/instance.ts';
import { startEnvironment } from './servers/environment.ts';
import { arrivalMs, planCustomers, planEvents } from './plan.ts';
import { countCodes, createAnswerCounts, reportOf } from './judging/report.ts';
import { createAwayCheck, halfRecorded } from './judging/store-checks.ts';

const instanceCount = 3;
/** From the arrival of the last customer to the first event, in milliseconds. */
const warmUpMs = 8_000;
/** No event happens for so long at the end, and no customer writes in its second half: everything in doubt is settled. */
const calmMs = 30_000;
const settleWithinMs = 3 * timing.settleMs;
const lookEveryMs = 1_000;
const mostRounds = 1_000;

export interface Asked {
  seed: number;
  minutes: number;
  customers: number;
  hasWebhook: boolean;
}

export interface Outcome {
  verdict: Verdict;
  report: string;
  /** The last log lines of each instance. */
  lines: string[];
}

/** Runs everything once. */
export async function runCluster({ seed, minutes, customers: count, hasWebhook }: Asked): Promise<Outcome> {
  const environment = await startEnvironment(instanceCount, hasWebhook);
  try {
    const startedAt = performance.now();
    const forMs = minutes * 60_000;
    const untilMs = startedAt + forMs;
    const happened: Happened[] = [];
    const answers: AgentAnswer[] = [];
    const away = createAwayCheck(environment.database, happened);
    const counts = createAnswerCounts(happened);
    const customers = startCustomers({
      url: environment.url,
      plans: planCustomers(seed, count, forMs - calmMs / 2),
      untilMs: untilMs + settleWithinMs,
      onExchange(exchange) {
        counts.note(exchange);
        away.note(exchange);
      },
    });
    const answering = answerCustomers({
      service: environment.service,
      customers: customers.logs,
      perSecond: count / 60,
      untilMs: untilMs - calmMs / 2,
      answers,
    });
    await sleep(arrivalMs(count) + warmUpMs);
    await runEvents(planEvents(seed, instanceCount, mostRounds), {
      environment,
      untilMs: untilMs - calmMs,
      happened,
    });
    await answering;
    await sleep(Math.max(0, untilMs - performance.now()));
    const endedAt = performance.now();
    const seconds = (endedAt - startedAt) / 1_000;
    const hasArrived = ({ customer, messageId }: AgentAnswer) =>
      customers.logs[customer]!.stream.receivedAt.has(messageId);
    while (!answers.every(hasArrived) && performance.now() < untilMs + settleWithinMs)
      await sleep(lookEveryMs);
    await customers.stop();
    const { faults: awayFaults, refused } = await away.result();
    const storeFaults = [...awayFaults, ...(await halfRecorded(environment.database))];
    const crashes = environment.instances.flatMap((instance) => instance.crashes());
    const stored = [...environment.service.tickets.values()].map(
      ({ id, customer_email, subject, description, messages }): StoredTicket => ({
        id,
        email: String(customer_email),
        subject: String(subject),
        description: String(description),
        messages: messages.filter(({ author_type: author }) => author === 'customer'),
      }),
    );
    const verdict = audit({ customers: customers.logs, stored, answers, happened, storeFaults, crashes });
    const streams = customers.logs.map(({ stream }) => stream);
    const figures = {
      seed,
      seconds,
      startedAt,
      customers: count,
      tickets: stored.length,
      webhooks: environment.webhooks?.counts() ?? null,
      streams: streams.reduce((sum, { lives }) => sum + lives.length, 0),
      failedStreams: streams.reduce((sum, { failures }) => sum + failures, 0),
      refusedWhileAway: refused,
    };
    const own = (await environment.ownAnswers()).map((answer) => `nginx itself: ${answer}`);
    const codes = countCodes([...environment.instances.flatMap((instance) => instance.lines()), ...own]);
    const lines = environment.instances.flatMap(({ name, lines: said }) =>
      said().map((line) => `${name}: ${line}`),
    );
    return { verdict, report: reportOf(verdict, figures, happened, counts.lines(), codes), lines };
  } finally {
    await environment.stop();
  }
}
