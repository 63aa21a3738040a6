import { Agent } from 'undici';
import { startBff } from '../servers/bff.ts';
import { createBrowser } from '../customers/browser.ts';
import type { FaultBuild } from '../servers/build.ts';
import { actAsCustomer } from '../customers/customer.ts';
import { startHeartbeat } from '../servers/heartbeat.ts';
import type { Sent } from '../customers/sent.ts';
import { judge } from '../judging/judge.ts';
import { splitFiles } from '../judging/file-lines.ts';
import { startProxy } from '../servers/proxy.ts';
import { callName, type Schedule } from '../schedules/schedule.ts';
import { runSpans } from '../schedules/spans.ts';
import type { Service, StoredTicket } from '../servers/service.ts';
import { dayMs, judgeAfterADay } from './files.ts';
import type { Time } from '../time/time.ts';

/** Virtual milliseconds, as are all times of a run. */
const settleMs = 60_000;
const upstreamTimeoutMs = 6_000;
const calmAfterMs = 200_000;
const lookEveryMs = 3_000;
const runForMs = 900_000;
/** The proxy puts the service's own in its place. */
const benchKey = 'a-key-of-the-bench';
/** A store that was in use so long before a start may have been set back. */
const setBackByMs = 90_000;
/** Until every send in doubt has been looked for, and settled. */
const afterSetBackMs = 3 * settleMs;
/** The promises do not cover a commit that the machine has delayed for longer. */
const latestCommitMs = 0.9 * settleMs;

/** With more slow calls than these, a send without a definite state is the machine's fault, not the BFF's. */
const mostSlowCalls = 10;
/** The same when the machine held up the BFF for more than this share of the run. Shorter pauses than a quarter time-out do not count. */
const mostHeldUp = 0.2;
const heldUpFromMs = upstreamTimeoutMs / 4;

export interface Outcome {
  seed: number;
  /** The violations. Empty when every promise holds. Empty in a void run, too. */
  wrong: string[];
  /** The machine was too slow for this run to mean anything. */
  isVoid: boolean;
  /** How often each fault happened. */
  faults: Map<string, number>;
  sent: Sent[];
  /** The BFF's last log lines. */
  lines: readonly string[];
}

/** `heldUp`: the share of the run for which the machine held up the BFF. */
function wasMachineTooSlow(seen: { sent: Sent[]; slowestMs: number; slowCalls: number; heldUp: number }) {
  if (seen.slowestMs > latestCommitMs) return true;
  const isSlow = seen.slowCalls > mostSlowCalls || seen.heldUp > mostHeldUp;
  return isSlow && seen.sent.some(({ end }) => end === 'unsettled');
}

interface Bench {
  built: FaultBuild;
  time: Time;
  service: Service;
}

/** `faults`: how often each fault happened; `refused`: the writes, by their `callName`, that were refused for good. */
async function startServers(schedule: Schedule, { built, time, service }: Bench) {
  const faults = new Map<string, number>();
  const onFault = (name: string) => void faults.set(name, (faults.get(name) ?? 0) + 1);
  const refused = new Set<string>();
  const proxy = await startProxy({
    time,
    schedule,
    serviceUrl: service.url,
    apiKey: service.apiKey,
    settleMs,
    timeoutMs: upstreamTimeoutMs,
    kill: () => bff.kill(),
    onFault,
    onRefusal: (name) => refused.add(name),
  });
  const bff = await startBff({
    entry: built.bff,
    secrets: [benchKey],
    clock: { time, preload: built.clock },
    settings: {
      SUPPORT_API_URL: proxy.url,
      SUPPORT_API_KEY: benchKey,
      SETTLE_MS: String(settleMs),
      UPSTREAM_TIMEOUT_MS: String(upstreamTimeoutMs),
      TICKET_FOOTER: schedule.hasFooter ? 'on' : 'off',
      // Within the day after which files are counted.
      ...(schedule.hasFiles && { RETENTION_REJECTED_DAYS: '1' }),
    },
    ...(schedule.hasFiles && { disk: built.disk }),
    failpoints: schedule.failpoints,
    onDeath: onFault,
  });
  return { proxy, bff, faults, onFault, refused };
}

/** A ticket without the lines of its files. */
const withoutFiles = (ticket: StoredTicket): StoredTicket => ({
  ...ticket,
  description: splitFiles(ticket.description).text,
  messages: ticket.messages.map(({ id, body }) => ({ id, body: splitFiles(body).text })),
});

/** One run: a fresh BFF and its customers, with all faults of the schedule. */
export async function run(schedule: Schedule, bench: Bench): Promise<Outcome> {
  const { time, service } = bench;
  const { proxy, bff, faults, onFault, refused } = await startServers(schedule, bench);
  const dispatcher = new Agent();
  const startedAt = time.now();
  const isOver = () => time.now() - startedAt > runForMs;
  const pause = () => time.sleep(lookEveryMs);
  const startedReally = Date.now();
  const heart = startHeartbeat(bff.adminUrl, heldUpFromMs / time.speed);
  const over = new AbortController();
  const { copyAtMs } = schedule;
  const copying = copyAtMs !== null && time.sleep(copyAtMs).then(bff.copyStore);
  const calming = time.sleep(calmAfterMs, over.signal).then(proxy.calm, () => undefined);
  const filling = runSpans(schedule.fullDisks, {
    time,
    signal: over.signal,
    begin() {
      bff.fillDisk(true);
      onFault('disk full');
    },
    end: () => bff.fillDisk(false),
  });
  const sent: Sent[] = [];
  try {
    await Promise.all(
      schedule.customers.map((plan, number) => {
        const address = `203.0.113.${number + 1}`;
        const browser = createBrowser({ bffUrl: bff.url, address, time, dispatcher });
        const note = (send: Sent) => void sent.push(send);
        return actAsCustomer({ browser, time, isOver, pause, note }, plan);
      }),
    );
    if (copyAtMs !== null) {
      await copying;
      await time.sleep(Math.max(0, startedAt + copyAtMs + setBackByMs - time.now()));
      await bff.setBack();
      onFault('store set back');
      await time.sleep(afterSetBackMs);
    }
    const { slowestMs, slowCalls } = await proxy.settle();
    for (const { isCut } of sent.flatMap(({ files }) => files)) if (isCut) onFault('upload cut');
    const stored = service.stored(schedule.customers.map(({ email }) => email));
    const judged = judge({
      sent,
      stored: stored.map(withoutFiles),
      wasRefused: ({ opening, email, subject, text }) =>
        refused.has(opening ? callName.message(text) : callName.ticket(email, subject)),
    });
    const judgedFiles: string[] = [];
    if (schedule.hasFiles) {
      await filling;
      proxy.setAhead(dayMs);
      judgedFiles.push(...(await judgeAfterADay({ sent, stored }, { bff, dispatcher })));
    }
    const wrong = [...judged, ...judgedFiles, ...bff.crashes];
    const heldUp = heart.heldUpMs(startedReally, Date.now()) / (Date.now() - startedReally);
    const isVoid = wasMachineTooSlow({ sent, slowestMs, slowCalls, heldUp });
    return { seed: schedule.seed, wrong: isVoid ? [] : wrong, isVoid, faults, sent, lines: bff.lines };
  } finally {
    over.abort();
    await heart.stop();
    await bff.stop();
    await calming;
    await filling;
    await proxy.stop();
    await dispatcher.destroy();
  }
}
