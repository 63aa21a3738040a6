import { randomUUID } from 'node:crypto';
import { Agent } from 'undici';
import { paths } from '../../../bff/contract/paths.ts';
import type { Operation, OperationState, Ticket } from '../../../bff/contract/tickets.ts';
import { startBff } from '../servers/bff.ts';
import { createBrowser } from '../customers/browser.ts';
import type { FaultBuild } from '../servers/build.ts';
import type { Fault } from '../schedules/faults.ts';
import { benchKeys, startProxy } from '../servers/proxy.ts';
import { noTroubles } from '../servers/troubles.ts';
import { callName } from '../schedules/schedule.ts';
import { startService } from '../servers/service.ts';
import { fastPace, startTime } from '../time/time.ts';

/** One ticket, sent into one fault, with the BFF's own defaults and in real time. */
interface Case {
  name: string;
  fault: Fault;
  expects: { status: number; state: OperationState; tickets: number };
  /** The maximum time to wait until the send is done. */
  watchMs: number;
}

const upstreamTimeoutMs = 10_000;
const lookEveryMs = 50;

const cases: readonly Case[] = [
  {
    name: 'commits and drops the answer',
    fault: { manner: 'reset', commit: 'before', lateMs: 0 },
    expects: { status: 201, state: 'done', tickets: 1 },
    watchMs: 10_000,
  },
  {
    name: 'commits 30 s after our time-out',
    fault: { manner: 'hang', commit: 'late', lateMs: upstreamTimeoutMs + 30_000 },
    expects: { status: 202, state: 'done', tickets: 1 },
    watchMs: 180_000,
  },
  {
    name: 'hangs before headers',
    fault: { manner: 'hang', commit: 'never', lateMs: 0 },
    expects: { status: 202, state: 'unknown', tickets: 0 },
    watchMs: 20_000,
  },
];

const subject = 'Is anybody there?';
const emailOf = (number: number) => `case-${number}@example.com`;
const seconds = (ms: number | null) => (ms === null ? '–' : `${(ms / 1000).toFixed(1)} s`);

/** Sends one ticket into each case; the table, and whether all went as expected. Times are shown, not judged. */
export async function runCases(built: FaultBuild): Promise<{ table: string; isGood: boolean }> {
  const time = startTime(fastPace(1));
  const service = await startService(built, time);
  const writes = new Map(
    cases.map(({ fault }, number) => [callName.ticket(emailOf(number), subject), [fault]]),
  );
  const proxy = await startProxy({
    time,
    schedule: { ...noTroubles, writes },
    serviceUrl: service.url,
    apiKey: service.apiKey,
    settleMs: 600_000,
    timeoutMs: upstreamTimeoutMs,
    kill: () => undefined,
    onFault: () => undefined,
    onRefusal: () => undefined,
  });
  const bff = await startBff({ built, time, upstreamUrl: proxy.url, keys: benchKeys, settings: {} });
  const dispatcher = new Agent();

  async function send({ watchMs }: Case, number: number) {
    const browser = createBrowser({ bffUrl: bff.url, address: `203.0.113.${number}`, time, dispatcher });
    const key = randomUUID();
    const body = { subject, description: 'Hello?', customer_email: emailOf(number) };
    const startedAt = performance.now();
    const answer = await browser.ask<Ticket>('POST', paths.tickets, { body, key });
    const answeredMs = performance.now() - startedAt;
    let state = answer?.data?.state;
    while (state !== 'done' && performance.now() - startedAt < watchMs) {
      await time.sleep(lookEveryMs);
      const looked = await browser.ask<Operation>('GET', paths.operation(key));
      state = looked?.data?.state ?? state;
    }
    const doneMs = state === 'done' ? performance.now() - startedAt : null;
    const tickets = service.stored([emailOf(number)]).length;
    return { status: answer?.status, answeredMs, state, doneMs, tickets };
  }

  try {
    const seen = await Promise.all(cases.map(send));
    const lines = cases.map(({ name, expects }, number) => {
      const { status, answeredMs, state, doneMs, tickets } = seen[number]!;
      const isAsExpected =
        status === expects.status && state === expects.state && tickets === expects.tickets;
      const cells = [
        name.padEnd(32),
        `${status} after ${seconds(answeredMs)}`.padEnd(16),
        `${state}`.padEnd(9),
        seconds(doneMs).padStart(8),
        String(tickets).padStart(8),
        isAsExpected ? '' : `  WRONG: expected ${JSON.stringify(expects)}`,
      ];
      return { isAsExpected, text: cells.join(' ').trimEnd() };
    });
    const head = `${'the service …'.padEnd(32)} ${'browser'.padEnd(16)} ${'state'.padEnd(9)} ${'done at'.padStart(8)}  tickets`;
    return {
      table: [head, ...lines.map(({ text }) => text)].join('\n'),
      isGood: lines.every(({ isAsExpected }) => isAsExpected),
    };
  } finally {
    await bff.stop();
    await proxy.stop();
    await service.stop();
    await dispatcher.destroy();
  }
}
