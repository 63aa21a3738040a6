import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { type BffAnswer, createBrowser } from '../faults/customers/browser.ts';
import { actAsCustomer } from '../faults/customers/customer.ts';
import type { Sent } from '../faults/customers/sent.ts';
import type { CustomerPlan } from '../faults/schedules/plan.ts';
import { startTime, type Time } from '../faults/time/time.ts';
import { customersIn } from './plan.ts';
import { keepStream, newStreamLog, type StreamLog } from './stream.ts';

/**
 * One of this many customers has the conversation open on a second device, which may be connected to another instance.
 */
const secondDeviceEvery = 3;
const lookEveryMs = 1_000;

export interface CustomerLog {
  number: number;
  sent: Sent[];
  stream: StreamLog;
  /** Texts of other customers that were shown to them, one line each. */
  foreign: string[];
  /** The ticket on their screen, once it has an id. */
  ticketId: string | null;
}

interface CustomerRun {
  url: string;
  time: Time;
  dispatcher: Agent;
  isOver: () => boolean;
  /** Aborted when the customers leave: they close their streams. */
  leaving: AbortSignal;
}

const pause = () => sleep(lookEveryMs);

/**
 * Acts as the plan says, with the conversation open on one or two devices. Records which message reaches which
 * customer.
 */
async function actAndListen(log: CustomerLog, plan: CustomerPlan, run: CustomerRun): Promise<void> {
  const { url, time, dispatcher, isOver, leaving } = run;
  const { number } = log;
  const address = `10.9.${number >> 8}.${number & 255}`;
  const browser = createBrowser({ bffUrl: () => url, address, time, dispatcher });

  function examine(text: string, where: string): void {
    for (const other of customersIn(text))
      if (other !== number) log.foreign.push(`customer ${number} was shown ${other}'s: ${where}: ${text}`);
  }

  async function ask<T>(
    ...[method, path, more]: Parameters<typeof browser.ask>
  ): Promise<BffAnswer<T> | null> {
    const answer = await browser.ask<T>(method, path, more);
    examine(JSON.stringify(answer?.data ?? ''), `${method} ${path}`);
    return answer;
  }

  async function listen(): Promise<void> {
    while (!leaving.aborted && log.ticketId === null) {
      await pause();
      log.ticketId = log.sent.find(({ opening, ticketId }) => !opening && ticketId)?.ticketId ?? null;
    }
    if (log.ticketId === null) return;
    const device = (stream: StreamLog) =>
      keepStream({
        url,
        ticketId: log.ticketId!,
        headers: browser.headers,
        dispatcher,
        signal: leaving,
        log: stream,
        onText: (text) => examine(text, 'stream'),
      });
    const second = number % secondDeviceEvery === 0 ? [newStreamLog()] : [];
    await Promise.all([log.stream, ...second].map(device));
  }

  const listening = listen();
  const note = (send: Sent) => void log.sent.push(send);
  await actAsCustomer({ browser: { ...browser, ask }, time, isOver, pause, note }, plan);
  await listening;
}

/** Lets all customers act at once. */
export function startCustomers(options: {
  url: string;
  plans: readonly CustomerPlan[];
  /** The time by `performance.now()` after which unsettled sends stay unsettled. */
  untilMs: number;
}) {
  const { url, plans, untilMs } = options;
  const dispatcher = new Agent({ connections: null });
  const leaving = new AbortController();
  setMaxListeners(0, leaving.signal);
  const run: CustomerRun = {
    url,
    time: startTime(),
    dispatcher,
    isOver: () => performance.now() > untilMs,
    leaving: leaving.signal,
  };
  const logs = plans.map((_, number): CustomerLog => ({
    number,
    sent: [],
    stream: newStreamLog(),
    foreign: [],
    ticketId: null,
  }));
  const acting = logs.map((log, number) => actAndListen(log, plans[number]!, run));
  return {
    logs: logs as readonly CustomerLog[],
    /** Ends the streams, once every customer has acted. */
    async stop(): Promise<void> {
      leaving.abort();
      await Promise.all(acting);
      await dispatcher.destroy();
    },
  };
}
