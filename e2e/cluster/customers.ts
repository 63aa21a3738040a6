import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { type BffAnswer, createBrowser } from '../faults/customers/browser.ts';
import { actAsCustomer } from '../faults/customers/customer.ts';
import type { Sent } from '../faults/customers/sent.ts';
import type { CustomerPlan } from '../faults/schedules/plan.ts';
import { fastPace, startTime } from '../faults/time/time.ts';
import { customersIn } from './plan.ts';
import { keepStream, newStreamLog, type StreamLog } from './stream.ts';

/** So many customers have the conversation open on a second device: it may be on another instance. */
const secondDeviceEvery = 3;
const lookEveryMs = 1_000;

/** One answer that a customer got, or none. Times are those of `performance.now()`. */
export interface Exchange {
  method: string;
  path: string;
  key: string | undefined;
  askedAt: number;
  /** Null: no answer, or not one of the BFF's. */
  status: number | null;
}

export interface CustomerLog {
  number: number;
  sent: Sent[];
  stream: StreamLog;
  /** Texts of other customers that they were shown, one line each. */
  foreign: string[];
  /** The ticket on their screen, once it has an id. */
  ticketId: string | null;
}

/** Lets all customers act at once. */
export function startCustomers(options: {
  url: string;
  plans: readonly CustomerPlan[];
  /** `performance.now()` when what is not settled stays so. */
  untilMs: number;
  onExchange: (exchange: Exchange) => void;
}) {
  const { url, plans, untilMs, onExchange } = options;
  const time = startTime(fastPace(1));
  const dispatcher = new Agent({ connections: null });
  const leaving = new AbortController();
  setMaxListeners(0, leaving.signal);
  const isOver = () => performance.now() > untilMs;
  const pause = () => sleep(lookEveryMs);

  const logs = plans.map((_, number): CustomerLog => ({
    number,
    sent: [],
    stream: newStreamLog(),
    foreign: [],
    ticketId: null,
  }));

  async function live(log: CustomerLog): Promise<void> {
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
      const askedAt = performance.now();
      const answer = await browser.ask<T>(method, path, more);
      onExchange({ method, path, key: more?.key, askedAt, status: answer?.status ?? null });
      examine(JSON.stringify(answer?.data ?? ''), `${method} ${path}`);
      return answer;
    }

    async function listen(): Promise<void> {
      while (!leaving.signal.aborted && log.ticketId === null) {
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
          signal: leaving.signal,
          log: stream,
          onText: (text) => examine(text, 'stream'),
        });
      const second = number % secondDeviceEvery === 0 ? [newStreamLog()] : [];
      await Promise.all([log.stream, ...second].map(device));
    }

    const listening = listen();
    const note = (send: Sent) => void log.sent.push(send);
    await actAsCustomer({ browser: { ...browser, ask }, time, isOver, pause, note }, plans[number]!);
    await listening;
  }

  const living = logs.map(live);
  return {
    logs: logs as readonly CustomerLog[],
    async stop(): Promise<void> {
      leaving.abort();
      await Promise.all(living);
      await dispatcher.destroy();
    },
  };
}
