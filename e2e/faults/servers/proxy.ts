import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Agent, request } from 'undici';
import { type Answer, misbehave, type Reply, write } from './answers.ts';
import { dateHeader, type Fault, nameOf } from '../schedules/faults.ts';
import { callName, type Schedule, type Span } from '../schedules/schedule.ts';
import type { Time } from '../time/time.ts';

/** The two keys that the BFF is given; the proxy puts the service's own in their place. */
export const benchKeys = ['bench-key-0', 'bench-key-1'] as const;

/** After this share of the settle time nothing is committed any more: later is outside what is promised. */
const latestShare = 0.6;
/** Below the range that a system gives out by itself, so that nobody takes the port during an outage. */
const firstPort = 20_000;
const ports = 10_000;

/** What of a schedule happens on the way to the service. */
export type Troubles = Pick<
  Schedule,
  'writes' | 'reads' | 'outages' | 'revocations' | 'dates' | 'datePhases'
>;

export const noTroubles: Troubles = {
  writes: new Map(),
  reads: [],
  outages: [],
  revocations: [],
  dates: [],
  datePhases: [],
};

export interface ProxyOptions {
  time: Time;
  schedule: Troubles;
  serviceUrl: string;
  apiKey: string;
  settleMs: number;
  /** How long the BFF waits for an answer. */
  timeoutMs: number;
  /** Ends the BFF as a power cut would. */
  kill: () => void;
  /** Hears of everything that went wrong, by name. */
  onFault: (name: string) => void;
  /** A write, by its `callName`, was refused for good. */
  onRefusal: (name: string) => void;
  /** Hears of every call as it arrives. */
  onCall?: (method: string, path: string) => void;
}

interface Call {
  isWrite: boolean;
  name: string;
  arrivedAt: number;
  forward(): Promise<Answer | null>;
}

/** The way from the BFF to the service, on which goes wrong what the schedule says. */
export async function startProxy(options: ProxyOptions) {
  const { time, schedule, serviceUrl, apiKey, settleMs, timeoutMs, kill, onFault, onRefusal, onCall } =
    options;
  const startedAt = time.now();
  const agent = new Agent();
  const attempts = new Map<string, number>();
  const late = new Set<Promise<void>>();
  const over = new AbortController();
  const lag = monitorEventLoopDelay();
  lag.enable();
  let dates = 0;
  let isCalm = false;
  let slowest = 0;
  let slowCalls = 0;

  const during = ({ fromMs, toMs }: Span) => {
    const sinceMs = time.now() - startedAt;
    return !isCalm && sinceMs >= fromMs && sinceMs < toMs;
  };

  /** What the service answers; null when it cannot be asked. */
  async function ask(method: string, path: string, body: Buffer, arrivedAt: number): Promise<Answer | null> {
    try {
      const response = await request(serviceUrl + path, {
        method: method as 'GET' | 'POST',
        dispatcher: agent,
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: method === 'POST' ? body : null,
      });
      const answer = { status: response.statusCode, body: Buffer.from(await response.body.arrayBuffer()) };
      if (method === 'POST') slowest = Math.max(slowest, time.now() - arrivedAt);
      return answer;
    } catch {
      return null;
    }
  }

  function commitLate(call: Call, lateMs: number): void {
    const committed = (async () => {
      await time.sleep(lateMs);
      const isTooLate = time.now() - call.arrivedAt > settleMs * latestShare;
      if (isTooLate) onFault('late commit dropped: past what is promised');
      else await call.forward();
    })();
    late.add(committed);
    void committed.finally(() => late.delete(committed));
  }

  function nextDate(): string | null {
    const single = schedule.dates[dates++] ?? null;
    const wrong = isCalm ? null : (schedule.datePhases.find(during)?.date ?? single);
    if (wrong) onFault(`Date ${wrong}`);
    return dateHeader(time.now(), wrong);
  }

  async function fail(fault: Fault, call: Call, reply: Reply): Promise<void> {
    onFault(nameOf(fault));
    if (fault.manner === 'status 422' && call.isWrite) onRefusal(call.name);
    const real = fault.commit === 'before' ? await call.forward() : null;
    if (fault.commit === 'late') commitLate(call, fault.lateMs);
    if (fault.manner === 'kill') return kill();
    await misbehave(fault.manner, reply, call.isWrite ? 201 : 200, real);
  }

  function nextFault({ isWrite, name }: Call): Fault | null {
    const attempt = attempts.get(name) ?? 0;
    attempts.set(name, attempt + 1);
    if (isCalm) return null;
    return (isWrite ? schedule.writes.get(name)?.[attempt] : schedule.reads[attempt]) ?? null;
  }

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const arrivedAt = time.now();
    const reply: Reply = { response, time, date: nextDate };
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { method = 'GET', url = '/' } = incoming;
    onCall?.(method, url);
    const isWrite = method === 'POST';
    const call: Call = {
      isWrite,
      name: isWrite ? writeName(JSON.parse(body.toString())) : 'read',
      arrivedAt,
      forward: () => ask(method, url, body, arrivedAt),
    };
    const key = benchKeys.findIndex((known) => incoming.headers.authorization === `Bearer ${known}`);
    if (key < 0 || schedule.revocations.some((span) => span.key === key && during(span))) {
      onFault('key refused');
      return write(reply, 401, '{"error":"Unauthorized"}');
    }
    const fault = nextFault(call);
    if (fault) return fail(fault, call, reply);
    const answer = await call.forward();
    if (time.now() - arrivedAt > timeoutMs) slowCalls += 1;
    if (answer) write(reply, answer.status, answer.body);
    else response.socket?.resetAndDestroy();
  }

  const server = createServer((incoming, response) => {
    response.on('error', () => undefined);
    // A caller that goes away breaks off its own body.
    handle(incoming, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 60_000;

  const listen = (port: number) =>
    new Promise<boolean>((resolve) => {
      const onError = () => resolve(false);
      server.once('error', onError);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', onError);
        resolve(true);
      });
    });
  let port: number;
  do port = firstPort + Math.floor(Math.random() * ports);
  while (!(await listen(port)));

  function close(): Promise<unknown> {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    return closed;
  }

  async function keepOutages(): Promise<void> {
    for (const span of [...schedule.outages].sort((a, b) => a.fromMs - b.fromMs)) {
      await time.sleep(Math.max(0, startedAt + span.fromMs - time.now()), over.signal);
      if (!during(span)) continue;
      onFault('outage');
      await close();
      await time.sleep(startedAt + span.toMs - time.now(), over.signal).catch(() => undefined);
      while (!(await listen(port))) await time.sleep(500);
    }
  }
  const outages = keepOutages().catch(() => undefined);

  return {
    url: `http://127.0.0.1:${port}`,
    /** From now on nothing goes wrong. */
    async calm(): Promise<void> {
      isCalm = true;
      over.abort();
      await outages;
    },
    /**
     * Waits for late commits. `slowestMs`: the longest time that may have passed from a write's arrival to its commit,
     * that is, what was measured, and how long this process was held up from measuring; `slowCalls`: how many answers
     * were too late for the BFF though nothing was to go wrong with them.
     */
    async settle(): Promise<{ slowestMs: number; slowCalls: number }> {
      await Promise.all(late);
      return { slowestMs: slowest + time.pace.speed * (lag.max / 1e6), slowCalls };
    },
    async stop(): Promise<void> {
      lag.disable();
      over.abort();
      await outages;
      await close();
      await agent.destroy();
    },
  };
}

const writeName = (body: Record<string, string>) =>
  body['body'] === undefined
    ? callName.ticket(body['customer_email'] ?? '', body['subject'] ?? '')
    : callName.message(body['body']);
