import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { paths } from '../../../bff/contract/paths.ts';
import type { Ticket } from '../../../bff/contract/tickets.ts';
import { startBff } from '../servers/bff.ts';
import { createBrowser } from '../customers/browser.ts';
import type { FaultBuild } from '../servers/build.ts';
import { type DueSchedule, dueTimings, type Trouble } from '../schedules/due-schedule.ts';
import { startHeartbeat } from '../servers/heartbeat.ts';
import { benchKeys, startProxy } from '../servers/proxy.ts';
import { noTroubles } from '../servers/troubles.ts';
import { callName } from '../schedules/schedule.ts';
import type { Service } from '../servers/service.ts';
import { fastPace, startTime, type Time } from '../time/time.ts';

/** How much later than due the next call for a send may come. All times here are real milliseconds. */
const mostLateMs = 1_000;
const watchMs = 20_000;
const lookEveryMs = 20;

export interface DueOutcome {
  /** The violations. Empty when every send was retried in time and arrived once. Empty in a void run, too. */
  wrong: string[];
  /** The machine was too slow for this run to mean anything. */
  isVoid: boolean;
  /** How much later than due the next call for each send came. Sends without another call are left out. */
  lateMs: number[];
  /** The BFF's last log lines. */
  lines: string[];
}

/** A reply, alone in its ticket, so that every call for that ticket is for it. */
interface Send {
  trouble: Trouble;
  email: string;
  text: string;
  ticketId: string;
  calls: { at: number; isPost: boolean }[];
}

/** The start of the due times of a send, and the calls for the send since then. */
interface Since {
  from: number;
  calls: Send['calls'];
}

/** How late the next call for each send came, and the violations. Delays caused by the machine are subtracted. */
function judgeDue(
  sends: readonly { trouble: Trouble; since: Since | null; arrivals: number }[],
  { beginAt, heldUpMs }: { beginAt: number; heldUpMs: (fromMs: number, toMs: number) => number },
): Pick<DueOutcome, 'wrong' | 'isVoid' | 'lateMs'> {
  const wrong: string[] = [];
  const lateMs: number[] = [];
  let isVoid = false;
  for (const { trouble, since, arrivals } of sends) {
    const { name, nextByMs, resentByMs } = trouble;
    const check = (what: string, at: number | undefined, byMs: number) => {
      const dueAt = (since?.from ?? beginAt) + byMs;
      const late = (at ?? Date.now()) - dueAt;
      if (at !== undefined) lateMs.push(late);
      if (late <= mostLateMs) return;
      const seconds = `${at === undefined ? 'not even ' : ''}${(late / 1_000).toFixed(1)} s after it was due`;
      if (late - heldUpMs(dueAt, at ?? Infinity) <= mostLateMs) isVoid = true;
      else wrong.push(`late: ${name}: ${what} ${seconds}`);
    };
    check('on its way again', since?.calls[0]?.at, nextByMs);
    if (resentByMs !== null) check('sent again', since?.calls.find(({ isPost }) => isPost)?.at, resentByMs);
    if (arrivals > 1) wrong.push(`duplicated: ${name}: arrived ${arrivals} times`);
  }
  return { wrong, isVoid, lateMs };
}

/** The proxy records every call for a send. */
async function startServers(
  sends: readonly Send[],
  {
    built,
    service,
    time,
    hasFooter,
  }: { built: FaultBuild; service: Service; time: Time; hasFooter: boolean },
  onReady: () => void,
) {
  const writes = new Map(sends.map(({ text, trouble }) => [callName.message(text), [trouble.fault]]));
  const proxy = await startProxy({
    time,
    schedule: { ...noTroubles, writes },
    serviceUrl: service.url,
    apiKey: service.apiKey,
    settleMs: Infinity,
    timeoutMs: Infinity,
    kill: () => undefined,
    onFault: () => undefined,
    onRefusal: () => undefined,
    onCall(method, path) {
      const send = sends.find(({ ticketId }) => ticketId !== '' && path.includes(ticketId));
      send?.calls.push({ at: Date.now(), isPost: method === 'POST' });
    },
  });
  const bff = await startBff({
    built,
    time,
    upstreamUrl: proxy.url,
    keys: benchKeys,
    settings: {
      UPSTREAM_TIMEOUT_MS: String(dueTimings.upstreamTimeoutMs),
      SETTLE_MS: String(dueTimings.settleMs),
      TICKET_FOOTER: hasFooter ? 'on' : 'off',
    },
    onReady,
  });
  return { proxy, bff };
}

/**
 * One run in real time, in which each send fails in its own way. In some runs the process is killed in mid-send, and in
 * some its wall clock jumps. The service recovers at once, so each send must be retried when it is due.
 */
export async function runDue(
  schedule: DueSchedule,
  { built, service }: { built: FaultBuild; service: Service },
): Promise<DueOutcome> {
  const { seed, troubles, hasFooter, killAtMs, shift } = schedule;
  const time = startTime(fastPace(1));
  const sends = troubles.map((trouble, nth): Send => {
    const email = `due${nth}.s${seed}@example.com`;
    return { trouble, email, text: `Still there? ${nth}`, ticketId: '', calls: [] };
  });
  let killedAt: number | null = null;
  let upAgainAt: number | null = null;
  const { proxy, bff } = await startServers(sends, { built, service, time, hasFooter }, () => {
    if (killedAt !== null) upAgainAt ??= Date.now();
  });
  const dispatcher = new Agent();
  const browsers = sends.map((_, nth) =>
    createBrowser({ bffUrl: bff.url, address: `203.0.113.${nth + 1}`, time, dispatcher }),
  );
  const heart = startHeartbeat(bff.adminUrl);

  async function open(send: Send, nth: number): Promise<void> {
    const body = { subject: 'Due', description: send.email, customer_email: send.email };
    const answer = await browsers[nth]!.ask<Ticket>('POST', paths.tickets, { body, key: randomUUID() });
    send.ticketId = answer?.data?.id ?? '';
  }
  const post = ({ ticketId, text }: Send, nth: number) =>
    browsers[nth]!.ask('POST', paths.messages(ticketId), { body: { body: text }, key: randomUUID() });
  const arrived = ({ email }: Send) => service.stored([email])[0]?.messages.length ?? 0;

  /** The start of its due times, and the calls for it since then. Null when it was never called for. */
  function since({ calls }: Send): Since | null {
    const from = killAtMs === null ? calls[0]?.at : upAgainAt;
    if (!from) return null;
    return { from, calls: killedAt === null ? calls.slice(1) : calls.filter(({ at }) => at >= killedAt!) };
  }
  const isResent = (send: Send) =>
    since(send)?.calls.some(({ isPost }) => isPost || send.trouble.resentByMs === null) ?? false;

  const nothing = { wrong: [], isVoid: true, lateMs: [], lines: bff.lines };
  try {
    await Promise.all(sends.map(open));
    if (!sends.every(({ ticketId }) => ticketId)) return nothing;
    const beginAt = Date.now();
    const isOver = () => Date.now() > beginAt + watchMs;
    if (shift)
      bff.shiftClock([{ fromMs: beginAt + shift.atMs, toMs: Number.MAX_SAFE_INTEGER, byMs: shift.byMs }]);
    const posting = Promise.all(sends.map(post));
    if (killAtMs !== null) {
      while (!isOver() && !sends.every(({ calls }) => calls.length > 0)) await sleep(lookEveryMs);
      await sleep(killAtMs);
      // The kill does not interrupt a send that is already past its first call.
      if (sends.some(({ calls }) => calls.length !== 1)) return nothing;
      killedAt = Date.now();
      bff.kill();
    }
    while (!isOver() && !sends.every((send) => isResent(send) && arrived(send) > 0)) await sleep(lookEveryMs);
    const found = judgeDue(
      sends.map((send) => ({ trouble: send.trouble, since: since(send), arrivals: arrived(send) })),
      { beginAt, heldUpMs: heart.heldUpMs },
    );
    await posting;
    return { ...found, isVoid: found.isVoid && found.wrong.length === 0, lines: bff.lines };
  } finally {
    await heart.stop();
    await bff.stop();
    await proxy.stop();
    await dispatcher.destroy();
  }
}
