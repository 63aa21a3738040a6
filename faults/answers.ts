import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import type { Manner } from './faults.ts';
import type { Time } from './time.ts';

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
/** Of an answer that nobody has executed: it never gets to its end. */
const endless = Buffer.from(`{"data":{"subject":"${' '.repeat(4_000)}`);

/** Writes with the date of virtual time, as a service that lives in it would. */
export function write(
  response: ServerResponse,
  time: Time,
  status: number,
  body: Buffer | string,
  headers: Record<string, string> = {},
): void {
  response.sendDate = false;
  response.writeHead(status, {
    'content-type': 'application/json',
    date: new Date(time.now()).toUTCString(),
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  });
  response.end(body);
}

function begin(response: ServerResponse, time: Time, status: number, length: number): void {
  response.sendDate = false;
  response.writeHead(status, {
    'content-type': 'application/json',
    date: new Date(time.now()).toUTCString(),
    'content-length': String(length),
  });
}

async function drip(response: ServerResponse, time: Time, status: number, body: Buffer): Promise<void> {
  begin(response, time, status, body.length);
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

async function flood(response: ServerResponse, time: Time, status: number): Promise<void> {
  begin(response, time, status, hugeBytes);
  await pipeline(Readable.from(spaces(hugeBytes)), response);
}

/**
 * Answers in a bad manner; `real` is what the service said, if it was asked. Resolves when nothing more will be
 * written; a `hang` leaves the connection to the caller.
 */
export async function misbehave(
  manner: Exclude<Manner, 'kill'>,
  response: ServerResponse,
  time: Time,
  hoped: number,
  real: Answer | null,
): Promise<void> {
  switch (manner) {
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'hang':
      return;
    case 'drip':
      return drip(response, time, real?.status ?? hoped, real?.body ?? endless);
    case 'status 500':
    case 'status 502':
    case 'status 503':
    case 'status 401':
    case 'status 422':
      return write(response, time, Number(manner.slice('status '.length)), refusal);
    case 'status 429':
      return write(response, time, 429, refusal, { 'retry-after': '2' });
    case 'html':
      return write(response, time, hoped, page, { 'content-type': 'text/html' });
    case 'truncated': {
      const body = real?.body ?? endless;
      return write(response, time, hoped, body.subarray(0, body.length / 2));
    }
    case 'huge':
      return flood(response, time, hoped);
    case 'gzip bomb':
      return write(response, time, hoped, bomb, { 'content-encoding': 'gzip' });
  }
}
