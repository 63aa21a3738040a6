import { type Dispatcher, Pool } from 'undici';
import type { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { Tracer } from '../tracing/tracer.ts';
import { startDeadline } from './deadline.ts';
import { failureOfError, failureOfStatus, type V1Failure, type V1Result } from './failure.ts';
import type { ReadHold } from './read-hold.ts';
import type { ServiceClock } from './service-clock.ts';

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
      const parsed = call.schema.safeParse(JSON.parse(await response.body.text()));
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
