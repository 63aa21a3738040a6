import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { startBff } from '../servers/bff.ts';
import { createBrowser } from '../customers/browser.ts';
import type { FaultBuild } from '../servers/build.ts';
import { actAsCustomer } from '../customers/customer.ts';
import type { Sent } from '../customers/sent.ts';
import { judge } from '../judging/judge.ts';
import { createRandom } from '../schedules/random.ts';
import type { CustomerPlan, TicketPlan } from '../schedules/plan.ts';
import { startService } from '../servers/service.ts';
import { startTime } from '../time/time.ts';

const speed = 30;
const minuteMs = 60_000;
/** In virtual time, like all following times unless stated otherwise. */
const outageMs = 60 * minuteMs;
const killsAt = [20 * minuteMs, 40 * minuteMs];
const writeForMs = 45 * minuteMs;
const betweenRepliesMs = 5 * minuteMs;
/** The real time before the outage, in which the processes start and the first tickets are delivered. */
const preparationMs = 30_000;
/** Real time after the return. */
const patienceMs = 5 * minuteMs;
const lookEveryMs = 500;

const customers = 50;
const newTickets = 4;
const repliesEach = 2;

const plain = { posting: 'once', sendsAgain: false, isEager: true, looksFirst: false } as const;

/**
 * The sends of one customer: a ticket before the outage, a reply to it during the outage, and the tickets opened during
 * the outage.
 */
function planOf(seed: number): { before: CustomerPlan; meanwhile: CustomerPlan } {
  const random = createRandom(seed);
  const email = `away-${seed}@example.com`;
  const ticket = (subject: string, pauseMs: number, replies: number, longestMs: number): TicketPlan => ({
    ...plain,
    subject,
    text: `${subject} Please answer.`,
    pauseMs,
    replies: Array.from({ length: replies }, (_, nth) => ({
      ...plain,
      text: `${subject} Reply ${nth}.`,
      pauseMs: random.between(1_000, longestMs),
    })),
  });
  const opened = Array.from({ length: newTickets }, (_, nth) =>
    ticket(`Away ${seed}.${nth}`, random.between(0, writeForMs / 2), repliesEach, betweenRepliesMs),
  );
  return {
    before: { email, tickets: [ticket(`Before ${seed}`, 0, 1, writeForMs)] },
    meanwhile: { email, tickets: opened },
  };
}

/**
 * The service is away for an hour of virtual time (30 times as fast), and comes back in real time; the BFF is killed
 * twice meanwhile. Returns the results, and whether every send is at the service once and in order.
 * @throws when this machine is too slow to prepare it
 */
export async function runOutage(built: FaultBuild): Promise<{ report: string; isGood: boolean }> {
  const fromMs = Date.now() + preparationMs;
  const untilMs = fromMs + outageMs / speed;
  const time = startTime({ fromMs, untilMs, speed });
  const service = await startService(built, time);
  const { url, apiKey } = service;
  const bff = await startBff({ built, time, upstreamUrl: url, keys: [apiKey], settings: {} });
  const dispatcher = new Agent();
  const plans = Array.from({ length: customers }, (_, number) => planOf(number));
  const emails = plans.map(({ before }) => before.email);
  const ticketsThere = () => service.stored(emails).length;
  const repliesThere = () => service.stored(emails).reduce((sum, { messages }) => sum + messages.length, 0);

  const sent: Sent[] = [];
  const endsAt = untilMs + patienceMs;
  const isOver = () => Date.now() > endsAt;
  const whileNot = async (isThere: () => boolean) => {
    while (!isThere() && !isOver()) await sleep(lookEveryMs / 5);
  };
  let tellBack = () => {};
  const isBack = new Promise<void>((resolve) => (tellBack = resolve));
  async function pause(): Promise<void> {
    await isBack;
    await sleep(lookEveryMs);
  }
  const browsers = plans.map((_, number) =>
    createBrowser({ bffUrl: bff.url, address: `203.0.113.${number}`, time, dispatcher }),
  );
  const act = (phase: 'before' | 'meanwhile') =>
    Promise.all(
      plans.map((plan, number) => {
        const note = (send: Sent) => void sent.push(send);
        return actAsCustomer({ browser: browsers[number]!, time, isOver, pause, note }, plan[phase]);
      }),
    );

  try {
    const before = act('before');
    await whileNot(() => ticketsThere() === customers);
    if (Date.now() > fromMs) throw new Error('this machine is too slow for the preparation');
    await sleep(fromMs - Date.now());
    await service.halt();
    const meanwhile = act('meanwhile');
    for (const killAt of killsAt) {
      await time.sleep(fromMs + killAt - time.now());
      bff.kill();
    }
    await sleep(untilMs - Date.now());
    const waiting = sent.filter(({ told }) => !told.includes('done')).length;
    await service.resume();
    const backAt = Date.now();
    tellBack();
    const tickets = customers * (1 + newTickets);
    const replies = customers * (1 + newTickets * repliesEach);
    await whileNot(() => ticketsThere() === tickets && repliesThere() === replies);
    const thereMs = Date.now() - backAt;
    await Promise.all([before, meanwhile]);
    const stored = service.stored(emails);
    const wrong = judge({ sent, stored, wasRefused: () => false });
    const undone = sent.filter(({ end }) => end !== 'done').length;
    const isAll = stored.length === tickets && repliesThere() === replies && undone === 0;
    return {
      isGood: wrong.length === 0 && isAll,
      report: [
        `away for ${outageMs / minuteMs} min of virtual time, ${outageMs / speed / 1000} s of real time`,
        `${customers} customers; BFF killed ${killsAt.length} times; ${waiting} sends waited at the return`,
        `${stored.length} of ${tickets} tickets and ${repliesThere()} of ${replies} replies there, ` +
          `${(thereMs / 1000).toFixed(1)} s after the return (real time, as virtual time is by then)`,
        `${undone} not told sent, ${wrong.length} wrong`,
        ...wrong,
        ...(wrong.length > 0 || !isAll ? bff.lines : []),
      ].join('\n'),
    };
  } finally {
    await bff.stop();
    await service.stop();
    await dispatcher.destroy();
  }
}
