import { type Dispatcher, Pool } from 'undici';
import type { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { Tracer } from '../tracer.ts';
import {
  failureOfError,
  failureOfStatus,
  tooManyValues,
  type V1Failure,
  type V1Result,
  waitOf,
} from './failure.ts';
import type { ServiceClock } from './service-clock.ts';
import { clearTimeout, setTimeout } from 'node:timers';
import { setImmediate } from 'node:timers/promises';

export interface Call<T> {
  name: 'list' | 'probe' | 'read' | 'create' | 'reply';
  method: 'GET' | 'POST';
  path: string;
  body?: unknown;
  expect: number;
  /** Schema of the answer's body. */
  schema: z.ZodType<T>;
  /** Whether the answer is about what was requested. */
  isAbout?: (answer: T) => boolean;
}

const connectTimeoutMs = 2_000;

/** The maximum size of an answer, in bytes. */
export const maxResponseSize = 4 * 1024 * 1024;

/** The maximum number of values in an answer. What parsing costs depends on it as well as on bytes. */
const maxValues = 80_000;
const [quote, backslash] = [0x22, 0x5c];
/** Each value but the first of a list or an object follows a comma, and each list or object begins with its sign. */
const [comma, bracket, brace] = [0x2c, 0x5b, 0x7b];

/** Whether JSON has more values than may be parsed. */
function hasTooManyValues(json: Uint8Array): boolean {
  if (json.length <= maxValues) return false;
  let values = 0;
  let isInText = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === quote) isInText = !isInText;
    else if (!isInText) values += Number(byte === comma || byte === bracket || byte === brace);
    else if (byte === backslash) at += 1;
  }
  return values > maxValues;
}

/**
 * How long after an answer another write may use its connection. Services close idle connections after 5 s or more. A
 * write on a connection that the service has closed is in doubt.
 */
const reuseMs = 1_000;

const connecting = { connect: { timeout: connectTimeoutMs }, maxResponseSize };
const reads = (origin: string) => new Pool(origin, { ...connecting, connections: 16 });
const writes = (origin: string) =>
  new Pool(origin, { ...connecting, keepAliveTimeout: reuseMs, keepAliveMaxTimeout: reuseMs });

/**
 * Makes single HTTP requests to the v1 service at `url`, without retries. `request` never rejects.
 * @param deps.timeoutMs for the whole call
 * @param deps.dispatcher replaces the network in tests
 */
export function createRequests(deps: {
  url: string;
  timeoutMs: number;
  dispatcher: Dispatcher | undefined;
  tracer: Pick<Tracer, 'headers'>;
  now: Clock['now'];
  serviceClock: Pick<ServiceClock, 'observe'>;
  readHold: Pick<ReadHold, 'note'>;
}) {
  const { url, timeoutMs, dispatcher, tracer, now, serviceClock, readHold } = deps;
  const { origin, pathname } = new URL(url);
  const prefix = pathname.replace(/\/$/, '');
  const dispatchers = {
    GET: dispatcher ?? reads(origin),
    POST: dispatcher ?? writes(origin),
  };

  async function request<T>(call: Call<T>, key: string): Promise<V1Result<T>> {
    let serverTime: number | null = null;
    let status = 0;
    // A body that arrives slowly resets the timeouts of the request. This deadline is for the whole call.
    const deadline = startDeadline(timeoutMs);
    try {
      const response = await dispatchers[call.method].request({
        origin,
        path: prefix + call.path,
        method: call.method,
        headers: {
          ...tracer.headers(),
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/json',
          'accept-encoding': 'identity',
        },
        body: call.body === undefined ? null : JSON.stringify(call.body),
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        signal: deadline.signal,
      });
      status = response.statusCode;
      serverTime = serviceClock.observe(String(response.headers['date']));
      const encoding = response.headers['content-encoding'];
      if (status !== call.expect || (encoding && encoding !== 'identity')) {
        response.body.on('error', () => {}).destroy();
        const retryAfter = String(response.headers['retry-after'] ?? '');
        const at = serverTime ?? now();
        if (call.method === 'GET') readHold.note(status, retryAfter, at);
        const failure: V1Failure =
          status === call.expect
            ? { kind: 'uncertain', reason: 'encoded body', status }
            : failureOfStatus(status, retryAfter, at);
        return { ok: false, failure, serverTime };
      }
      const json = new Uint8Array(await response.body.arrayBuffer());
      // Each of these takes long for a large answer: others have their turn in between.
      const turn = () => (json.length > maxValues ? setImmediate() : undefined);
      await turn();
      if (hasTooManyValues(json))
        return { ok: false, failure: { kind: 'uncertain', reason: tooManyValues, status }, serverTime };
      await turn();
      const text = new TextDecoder().decode(json);
      await turn();
      const value: unknown = JSON.parse(text);
      await turn();
      const parsed = call.schema.safeParse(value);
      if (!parsed.success)
        return { ok: false, failure: { kind: 'uncertain', reason: 'unreadable body', status }, serverTime };
      // SECURITY: a proxy that answers one request twice must not show a customer the ticket of somebody else.
      if (call.isAbout?.(parsed.data) === false)
        return {
          ok: false,
          failure: { kind: 'uncertain', reason: 'answer to another request', status },
          serverTime,
        };
      return { ok: true, data: parsed.data, serverTime };
    } catch (error) {
      const failure: V1Failure =
        error instanceof SyntaxError
          ? { kind: 'uncertain', reason: 'broken JSON', status }
          : failureOfError(error);
      return { ok: false, failure, serverTime };
    } finally {
      deadline.end();
    }
  }

  return {
    request,
    /** Aborts all requests in flight. An aborted write may have been executed. */
    async abort(): Promise<void> {
      await Promise.all([dispatchers.GET.destroy(), dispatchers.POST.destroy()]);
    },
  };
}

/**
 * A signal that aborts after this many milliseconds, unless `end` is called first. `AbortSignal.timeout` cannot be
 * ended early: with hundreds of calls a second, thousands of its timers would wait.
 */
export function startDeadline(ms: number): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  const isOver = () => controller.abort(new DOMException(`no answer in ${ms} ms`, 'TimeoutError'));
  const timer = setTimeout(isOver, ms).unref();
  return { signal: controller.signal, end: () => clearTimeout(timer) };
}

const longestMs = 3_600_000;

/**
 * How long the service asks for no reads: the `Retry-After` of a 429 or 503, an hour at most. Without it, a 429 means
 * a second and a 503 means nothing. Times in milliseconds, by `elapsed`.
 */
export function createReadHold(elapsed: () => number) {
  let until = -Infinity;
  return {
    /** @param at Unix milliseconds; a `Retry-After` with a date is relative to it */
    note(status: number, retryAfter: string, at: number): void {
      if (status !== 429 && !(status === 503 && retryAfter !== '')) return;
      until = Math.max(until, elapsed() + Math.min(waitOf(retryAfter, at), longestMs));
    },
    /** Zero when reads are allowed. */
    leftMs: (): number => Math.max(0, until - elapsed()),
  };
}

export type ReadHold = ReturnType<typeof createReadHold>;
