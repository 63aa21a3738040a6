import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import type { Manner } from '../schedules/faults.ts';
import type { Time } from '../time/time.ts';

/** What the service has answered. */
export interface Answer {
  status: number;
  body: Buffer;
}

const hugeBytes = 50 * 1024 * 1024;
const chunk = Buffer.alloc(64 * 1024, ' ');
const dripMs = 500;
const bomb = gzipSync(Buffer.alloc(hugeBytes));
const page = '<!doctype html><title>502 Bad Gateway</title><h1>Bad Gateway</h1>';
const refusal = '{"error":"no"}';
/** For an answer to a call that was not executed. The answer is never complete. */
const endless = Buffer.from(`{"data":{"subject":"${' '.repeat(4_000)}`);

/** How to answer one call. `date` gives the value of the header; null for none. */
export interface Reply {
  response: ServerResponse;
  time: Time;
  date: () => string | null;
}

function begin({ response, date }: Reply, status: number, length: number, headers = {}): void {
  const value = date();
  response.sendDate = false;
  response.writeHead(status, {
    'content-type': 'application/json',
    ...(value === null ? {} : { date: value }),
    'content-length': String(length),
    ...headers,
  });
}

export function write(
  reply: Reply,
  status: number,
  body: Buffer | string,
  headers: Record<string, string> = {},
): void {
  begin(reply, status, Buffer.byteLength(body), headers);
  reply.response.end(body);
}

async function drip(reply: Reply, status: number, body: Buffer): Promise<void> {
  const { response, time } = reply;
  begin(reply, status, body.length);
  for (const byte of body) {
    if (response.closed) return;
    response.write(Buffer.of(byte));
    await time.sleep(dripMs);
  }
  response.end();
}

function* spaces(bytes: number) {
  for (let sent = 0; sent < bytes; sent += chunk.length) yield chunk;
}

async function flood(reply: Reply, status: number): Promise<void> {
  begin(reply, status, hugeBytes);
  await pipeline(Readable.from(spaces(hugeBytes)), reply.response);
}

/**
 * Answers in a bad manner; `real` is the service's answer, if it was asked. Resolves when nothing more will be
 * written; a `hang` leaves the connection to the caller.
 */
export async function misbehave(
  manner: Exclude<Manner, 'kill'>,
  reply: Reply,
  hoped: number,
  real: Answer | null,
): Promise<void> {
  switch (manner) {
    case 'reset':
      reply.response.socket?.resetAndDestroy();
      return;
    case 'hang':
      return;
    case 'drip':
      return drip(reply, real?.status ?? hoped, real?.body ?? endless);
    case 'status 500':
    case 'status 502':
    case 'status 503':
    case 'status 401':
    case 'status 422':
      return write(reply, Number(manner.slice('status '.length)), refusal);
    case 'status 429':
      return write(reply, 429, refusal, { 'retry-after': '2' });
    case 'html':
      return write(reply, hoped, page, { 'content-type': 'text/html' });
    case 'truncated': {
      const body = real?.body ?? endless;
      return write(reply, hoped, body.subarray(0, body.length / 2));
    }
    case 'huge':
      return flood(reply, hoped);
    case 'gzip bomb':
      return write(reply, hoped, bomb, { 'content-encoding': 'gzip' });
  }
}
