/** A proxy between the BFF and the ticket service, with the faults of a schedule. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { freePort } from '../../../scripts/processes.ts';
import { createForwarder, type ForwardedCall, type ForwarderOptions } from './forwarder.ts';
import { splitFiles } from '../judging/file-lines.ts';
import { dateHeader, type Fault, type Manner, nameOf } from '../schedules/faults.ts';
import { callName, type Schedule } from '../schedules/schedule.ts';
import { runSpans, type Span } from '../schedules/spans.ts';
import type { Time } from '../time/time.ts';

export interface ProxyOptions extends ForwarderOptions {
  schedule: Troubles;
  /** How long the BFF waits for an answer. */
  timeoutMs: number;
  /** Ends the BFF as a power cut would. */
  kill: () => void;
  /** A write, by its `callName`, was refused for good. */
  onRefusal: (name: string) => void;
}

interface Call extends ForwardedCall {
  isWrite: boolean;
  name: string;
}

/** The events of a schedule that happen between the BFF and the service. */
type Troubles = Pick<Schedule, 'writes' | 'reads' | 'outages' | 'wrongDates'>;

/** Returns the fault at each moment of a schedule that begins now. After `calm` there is none. */
function followTroubles(schedule: Troubles, time: Time, onFault: (name: string) => void) {
  const startedAt = time.now();
  const attempts = new Map<string, number>();
  let isCalm = false;
  let aheadMs = 0;

  const isDuring = ({ fromMs, toMs }: Span) => {
    const sinceMs = time.now() - startedAt;
    return !isCalm && sinceMs >= fromMs && sinceMs < toMs;
  };

  return {
    date(): string {
      const wrong = schedule.wrongDates.find(isDuring)?.date;
      if (wrong) onFault(`Date ${wrong}`);
      return dateHeader(time.now() + aheadMs, wrong);
    },
    nextFault({ isWrite, name }: { isWrite: boolean; name: string }): Fault | null {
      const attempt = attempts.get(name) ?? 0;
      attempts.set(name, attempt + 1);
      if (isCalm) return null;
      return (isWrite ? schedule.writes.get(name)?.[attempt] : schedule.reads[attempt]) ?? null;
    },
    calm(): void {
      isCalm = true;
    },
    setAhead: (ms: number) => void (aheadMs = ms),
  };
}

const retryAfter: Partial<Record<Manner, Record<string, string>>> = { 'status 429': { 'retry-after': '2' } };

export async function startProxy(options: ProxyOptions) {
  const { time, schedule, timeoutMs, kill, onFault, onRefusal } = options;
  const troubles = followTroubles(schedule, time, onFault);
  const forwarder = createForwarder(options);
  const over = new AbortController();
  let slowCalls = 0;

  /** An answer with the `Date` of this moment. */
  function answer(
    response: ServerResponse,
    status: number,
    body: Buffer | string,
    headers: Record<string, string> = {},
  ): void {
    const date = troubles.date();
    response.sendDate = false;
    response.writeHead(status, { 'content-type': 'application/json', ...(date && { date }), ...headers });
    response.end(body);
  }

  /** A `hang` leaves the connection to the caller. */
  async function fail(fault: Fault, call: Call, response: ServerResponse): Promise<void> {
    const { manner, commit, lateMs } = fault;
    onFault(nameOf(fault));
    if (manner === 'status 422' && call.isWrite) onRefusal(call.name);
    if (commit === 'before') await forwarder.forward(call);
    if (commit === 'late') forwarder.forwardLate(call, lateMs);
    if (manner === 'kill') kill();
    else if (manner === 'reset') response.socket?.resetAndDestroy();
    else if (manner !== 'hang')
      answer(response, Number(manner.slice('status '.length)), '{"error":"no"}', retryAfter[manner]);
  }

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const arrivedAt = time.now();
    const body = await buffer(incoming);
    const { method = 'GET', url = '/' } = incoming;
    const isWrite = method === 'POST';
    const name = isWrite ? writeName(JSON.parse(body.toString())) : 'read';
    const call: Call = { isWrite, name, method, path: url, body, arrivedAt };
    const fault = troubles.nextFault(call);
    if (fault) return fail(fault, call, response);
    const passed = await forwarder.forward(call);
    if (time.now() - arrivedAt > timeoutMs) slowCalls += 1;
    if (passed) answer(response, passed.status, passed.body);
    else response.socket?.resetAndDestroy();
  }

  const server = createServer((incoming, response) => {
    response.on('error', () => undefined);
    // A caller that disconnects aborts its own request body.
    handle(incoming, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 60_000;
  const port = await freePort();
  const open = () => once(server.listen(port, '127.0.0.1'), 'listening');
  async function close(): Promise<void> {
    const closed = once(server.close(), 'close');
    server.closeAllConnections();
    await closed;
  }
  await open();

  const outages = runSpans(schedule.outages, {
    time,
    signal: over.signal,
    async begin() {
      onFault('outage');
      await close();
    },
    end: open,
  });

  return {
    url: `http://127.0.0.1:${port}`,
    /** From now on the service's clock is this far ahead. */
    setAhead: troubles.setAhead,
    /** From now on there are no faults. */
    async calm(): Promise<void> {
      troubles.calm();
      over.abort();
      await outages;
    },
    /**
     * Waits for late commits. `slowestMs`: of a write, until its commit; `slowCalls`: how many answers were too late for
     * the BFF though nothing was to go wrong with them.
     */
    settle: async () => ({ slowestMs: await forwarder.settle(), slowCalls }),
    async stop(): Promise<void> {
      over.abort();
      await outages;
      await close();
      await forwarder.stop();
    },
  };
}

const writeName = (body: Record<string, string>) =>
  body['body'] === undefined
    ? callName.ticket(body['customer_email'] ?? '', body['subject'] ?? '')
    : callName.message(splitFiles(body['body']).text);
