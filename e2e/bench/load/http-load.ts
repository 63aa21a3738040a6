import { randomUUID } from 'node:crypto';
import autocannon from 'autocannon';
import { idempotencyHeader } from '../../../bff/contract/paths.ts';
import { cpuSeconds } from '../probes/process-usage.ts';

export interface Load {
  url: string;
  headers?: Record<string, string>;
  /** Sends each request as a POST of this body with its own key, in turn to each entry of `to`. */
  body?: object;
  to?: { path: string; headers: Record<string, string> }[];
}

export interface Answered {
  perSecond: number;
  p99: number;
  /** Microseconds of processor time per request. Null when the system does not report it, or without a process. */
  cpuMicros: number | null;
}

const connections = 50;

/**
 * Sends requests as fast as the answers arrive, on 50 connections, for this many seconds. `pid` is the process that
 * answers.
 * @throws when an answer is no success
 */
export async function applyLoad(
  { url, headers = {}, body, to }: Load,
  seconds: number,
  pid?: number,
): Promise<Answered> {
  const text = body && JSON.stringify(body);
  let turn = 0;
  const before = pid === undefined ? null : await cpuSeconds(pid);
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    headers,
    ...(text && {
      requests: [
        {
          method: 'POST',
          body: text,
          setupRequest: (request) => {
            const target = to?.[(turn += 1) % to.length];
            const key = { 'content-type': 'application/json', [idempotencyHeader]: randomUUID() };
            return {
              ...request,
              ...(target && { path: target.path }),
              headers: { ...headers, ...target?.headers, ...key },
            };
          },
        },
      ],
    }),
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} answers without success, ${result.errors} errors`);
  const after = pid === undefined ? null : await cpuSeconds(pid);
  return {
    perSecond: result.requests.average,
    p99: result.latency.p99,
    cpuMicros: before === null || after === null ? null : ((after - before) * 1e6) / result.requests.total,
  };
}
