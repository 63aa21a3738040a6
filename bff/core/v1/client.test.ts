import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { mkdtempSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { serve } from '../../../scripts/serve.ts';
import { systemClock } from '../clock.ts';
import { createV1Client, type V1Client } from './client.ts';
import { createKeyRing, type KeyRing } from './keys.ts';

let server: Awaited<ReturnType<typeof serve>> | undefined;
let client: V1Client | undefined;
afterEach(async () => {
  await server?.stop();
  await client?.abort();
  client = undefined;
});

const ticket = { id: 't1', subject: 'Lid', description: 'Chipped' };
const message = { id: 'm1', author_type: 'customer', body: 'one', created_at: '2026-01-01T12:00:00Z' };
const newTicket = { subject: 'Lid', description: 'Chipped', customer_email: 'ada@example.com' };

/** A client of a real server on loopback with this listener. */
async function clientOf(
  listener: RequestListener,
  keys: readonly string[] | KeyRing = ['key-1'],
  prefix = '',
  timeoutMs = 2_000,
) {
  server = await serve(listener);
  client = createV1Client({
    url: server.url + prefix,
    keys: 'current' in keys ? keys : createKeyRing({ keys, keyFile: undefined }),
    timeoutMs,
    ...systemClock,
  });
  return client;
}

const answer =
  (status: number, body: string | Buffer, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body);

describe('a write', () => {
  it('is confirmed by a 201 with an id, and reports the service’s clock', async () => {
    const v1 = await clientOf(
      answer(201, JSON.stringify({ data: ticket }), { date: 'Thu, 01 Jan 2026 12:00:00 GMT' }),
    );
    await v1.createTicket(newTicket);
    const result = await v1.createTicket(newTicket);
    // The clock goes on between the answers.
    const serverTime = expect.closeTo(Date.UTC(2026, 0, 1, 12), -6);
    expect(result).toMatchObject({ ok: true, data: ticket, serverTime });
  });

  it.each<[string, RequestListener, object]>([
    ['a 400', answer(400, '{}'), { kind: 'refused', status: 400 }],
    ['a 429', answer(429, '{}', { 'Retry-After': '7' }), { kind: 'rate_limited', retryAfterMs: 7_000 }],
    [
      'an absurd 429',
      answer(429, '{}', { 'Retry-After': '99999999' }),
      { kind: 'rate_limited', retryAfterMs: 60_000 },
    ],
    ['a 503', answer(503, 'x'), { kind: 'uncertain', reason: 'status 503' }],
    ['a 408', answer(408, 'x'), { kind: 'uncertain', reason: 'status 408' }],
    [
      'gzip',
      answer(201, gzipSync('x'), { 'Content-Encoding': 'gzip' }),
      { kind: 'uncertain', reason: 'encoded body' },
    ],
    ['HTML', answer(201, '<html>'), { kind: 'uncertain', reason: 'broken JSON' }],
    ['an array', answer(201, '[]'), { kind: 'uncertain', reason: 'unreadable body' }],
    [
      '5 MB',
      answer(201, 'x'.repeat(5 * 1024 * 1024)),
      { kind: 'uncertain', reason: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' },
    ],
    ['silence', () => {}, { kind: 'uncertain' }],
    ['a reset', (request) => request.socket.resetAndDestroy(), { kind: 'uncertain' }],
    [
      'half a body',
      (_, response) => void response.writeHead(201).write('{"data":', () => response.destroy()),
      { kind: 'uncertain' },
    ],
    [
      'a drip',
      (_, response) => {
        response.writeHead(201);
        const drip = setInterval(() => response.write(' '), 50);
        response.on('close', () => clearInterval(drip));
      },
      { kind: 'uncertain', reason: 'TimeoutError' },
    ],
  ])('fails as expected after %s [upstream-6]', async (_, listener, failure) => {
    const v1 = await clientOf(listener);
    expect(await v1.createTicket(newTicket)).toMatchObject({ ok: false, failure });
  });

  it('never follows a redirect, nor sends the key elsewhere [upstream-3]', async () => {
    const seen: string[] = [];
    const v1 = await clientOf((request, response) => {
      seen.push(request.url!);
      response.writeHead(307, { Location: '/elsewhere' }).end();
    });
    await v1.createTicket(newTicket);
    expect(seen).toEqual(['/api/v1/tickets']);
  });

  it('uses the connection of the previous call until that has been idle for a moment', async () => {
    const sockets: Socket[] = [];
    const v1 = await clientOf((request, response) => {
      sockets.push(request.socket);
      response.writeHead(201).end('{}');
    });
    await v1.addMessage('t1', 'x');
    await setImmediate();
    await v1.addMessage('t1', 'x');
    expect(new Set(sockets).size).toBe(1);
    await once(sockets[0]!, 'close');
    await v1.addMessage('t1', 'x');
    expect(new Set(sockets).size).toBe(2);
  });

  it('is in doubt and not repeated when the service ends its connection', async () => {
    const bodies: string[] = [];
    const v1 = await clientOf((request, response) => {
      void text(request).then((body) => {
        bodies.push(body);
        if (bodies.length === 1) response.writeHead(201).end(JSON.stringify({ data: message }));
        else request.socket.destroy();
      });
    });
    expect((await v1.addMessage('t1', 'one')).ok).toBe(true);
    await setImmediate();
    expect(await v1.addMessage('t1', 'two')).toMatchObject({ ok: false, failure: { kind: 'uncertain' } });
    expect(bodies).toEqual(['{"body":"one"}', '{"body":"two"}']);
  });

  it('may have been executed when it is aborted after it has left', async () => {
    let onRequest = () => {};
    const isThere = new Promise<void>((resolve) => (onRequest = resolve));
    const v1 = await clientOf(() => onRequest(), ['key-1'], '', 10_000);
    const result = v1.addMessage('t1', 'x');
    await isThere;
    await v1.abort();
    expect(await result).toMatchObject({ ok: false, failure: { kind: 'uncertain' } });
  });

  it('is not executed when no server listens', async () => {
    const v1 = await clientOf(answer(201, '{}'));
    await server!.stop();
    expect(await v1.addMessage('t1', 'x')).toMatchObject({ ok: false, failure: { kind: 'not_connected' } });
  });
});

it('ids stay inside one path segment, after a path prefix of the service [upstream-4]', async () => {
  const seen: string[] = [];
  const v1 = await clientOf(
    (request, response) => {
      seen.push(request.url!);
      response.writeHead(404).end();
    },
    ['key-1'],
    '/support',
  );
  await v1.getTicket('../../admin?x=1#y');
  expect(seen).toEqual(['/support/api/v1/tickets/..%2F..%2Fadmin%3Fx%3D1%23y']);
});

it('the answer to a read that is about another ticket is uncertain [isolation-46]', async () => {
  const v1 = await clientOf((_request, response) => response.end(JSON.stringify({ data: ticket })));
  expect(await v1.getTicket('t1')).toMatchObject({ ok: true, data: { id: 't1' } });
  expect(await v1.getTicket('t2')).toMatchObject({
    ok: false,
    failure: { kind: 'uncertain', reason: 'answer to another request' },
  });
});

describe('with two keys', () => {
  const accepting =
    (good: string, seen: string[]): RequestListener =>
    (request, response) => {
      const key = request.headers.authorization!.replace('Bearer ', '');
      seen.push(key);
      if (key === good) response.writeHead(201).end(JSON.stringify({ data: ticket }));
      else response.writeHead(401).end('{"error":"Unauthorized"}');
    };

  it('the client tries the other on 401 and remembers which one works', async () => {
    const seen: string[] = [];
    const v1 = await clientOf(accepting('new', seen), ['old', 'new']);
    expect((await v1.createTicket(newTicket)).ok).toBe(true);
    expect((await v1.createTicket(newTicket)).ok).toBe(true);
    expect(seen).toEqual(['old', 'new', 'new']);
  });

  it('a call is unauthorized when both are refused', async () => {
    const v1 = await clientOf(accepting('other', []), ['a', 'b']);
    expect(await v1.createTicket(newTicket)).toMatchObject({ ok: false, failure: { kind: 'unauthorized' } });
  });
});

describe('the list of tickets', () => {
  it.each([
    [36, 20_000, [50, 25], 25],
    [50, 20_000, [50, 25], 25],
    [3, 600_000, [50, 25, 12, 6, 3, 1], 1],
    [5, 20_000, [50], 5],
  ])(
    'of %i tickets with %i control characters each is read as far as possible [overload-15]',
    async (count, length, limits, readable) => {
      const description = '\u0001'.repeat(length);
      const all = Array.from({ length: count }, (_, n) =>
        JSON.stringify({ ...ticket, id: `t${n}`, description }),
      );
      const asked: number[] = [];
      const listener: RequestListener = (request, response) => {
        const limit = Number(new URL(request.url!, 'http://x').searchParams.get('limit'));
        asked.push(limit);
        response.writeHead(200).end(`{"data":[${all.slice(0, limit).join()}]}`);
      };
      const v1 = await clientOf(listener, ['key-1'], '', 10_000);
      const result = await v1.listTickets();
      expect(asked).toEqual(limits);
      expect(result).toMatchObject({ ok: true, data: { limit: limits.at(-1), isWhole: true } });
      expect(result.ok && result.data.entries.map(({ id }) => id)).toEqual(
        Array.from({ length: readable }, (_, n) => `t${n}`),
      );
    },
  );

  it('that fails in another way is not read again', async () => {
    let asked = 0;
    const v1 = await clientOf((_, response) => {
      asked += 1;
      response.writeHead(500).end();
    });
    expect((await v1.listTickets()).ok).toBe(false);
    expect(asked).toBe(1);
  });
});

describe('an answer that costs more than its bytes', () => {
  it.each([
    ['lists within lists', `"more":${'['.repeat(200_001)}${']'.repeat(200_001)}`],
    ['objects within objects', `"more":${'{"a":'.repeat(200_001)}1${'}'.repeat(200_001)}`],
    ['many numbers', `"more":[${'1,'.repeat(200_001)}1]`],
    ['many names', `"more":{${Array.from({ length: 200_001 }, (_, n) => `"${n}":1`).join()}}`],
  ])('is not parsed: %s [overload-18]', async (_, more) => {
    const v1 = await clientOf(answer(200, `{"data":{"id":"t1",${more}}}`));
    expect(await v1.getTicket('t1')).toMatchObject({
      ok: false,
      failure: { kind: 'uncertain', reason: 'too many values' },
    });
  });

  it('is parsed where its texts alone have as many signs', async () => {
    const body = '\\"[{,\\\\",'.repeat(5_000);
    const data = { ...ticket, messages: [{ ...message, body }], more: '{'.repeat(200_001) };
    const v1 = await clientOf(answer(200, JSON.stringify({ data })));
    expect(await v1.getTicket('t1')).toMatchObject({ ok: true, data: { messages: [{ body }] } });
  });

  it('has all messages of a long conversation, since new answers are told by their number', async () => {
    const messages = Array.from({ length: 10_000 }, (_, n) => ({ ...message, id: `m${n}` }));
    const v1 = await clientOf(answer(200, JSON.stringify({ data: { ...ticket, messages } })));
    const read = await v1.getTicket('t1');
    expect(read.ok && [read.data.messages.length, read.data.isWhole]).toEqual([10_000, true]);
  });

  it('has a long text up to a limit', async () => {
    const messages = [{ ...message, body: '\u0301'.repeat(300_000) }];
    const v1 = await clientOf(answer(200, JSON.stringify({ data: { ...ticket, messages } })));
    const read = await v1.getTicket('t1');
    expect(read.ok && read.data.messages[0]!.body).toBe(`${'\u0301'.repeat(50_000)}\n\n[…]`);
  });
});

describe('the pause that the service asks for', () => {
  it.each<[string, number, Record<string, string>, number]>([
    ['a 429', 429, { 'Retry-After': '7' }, 7_000],
    ['a 429 without a time', 429, {}, 1_000],
    ['a 503', 503, { 'Retry-After': '7' }, 7_000],
    ['an absurd 503', 503, { 'Retry-After': '99999999' }, 3_600_000],
    ['a 503 without a time', 503, {}, 0],
    ['a 500', 500, { 'Retry-After': '7' }, 0],
  ])('is kept after %s', async (_, status, headers, expected) => {
    const v1 = await clientOf(answer(status, '{}', headers));
    expect(v1.readsHeldMs()).toBe(0);
    await v1.getTicket('t1');
    expect(v1.readsHeldMs()).toBeLessThanOrEqual(expected);
    expect(v1.readsHeldMs()).toBeGreaterThanOrEqual(expected * 0.8);
  });

  it('is not kept after a write', async () => {
    const v1 = await clientOf(answer(429, '{}', { 'Retry-After': '7' }));
    await v1.createTicket(newTicket);
    expect(v1.readsHeldMs()).toBe(0);
  });
});

describe('a key file', () => {
  const newFile = (content: string) => {
    const file = join(mkdtempSync(join(tmpdir(), 'deskside-keys-')), 'key');
    writeFileSync(file, content);
    return file;
  };

  it('is read again when it changes, and an empty one is not used', () => {
    const file = newFile('first\n');
    const ring = createKeyRing({ keys: [], keyFile: file });
    expect(ring.current()).toEqual(['first']);
    writeFileSync(file, 'second,third\n');
    expect(ring.current()).toEqual(['second', 'third']);
    writeFileSync(file, '');
    expect(ring.current()).toEqual(['second', 'third']);
  });

  it.each([
    ['that is a folder', tmpdir(), /^SUPPORT_API_KEY_FILE: .* cannot be read \(a folder, .*Docker/],
    ['that is missing', '/nowhere/key', /^SUPPORT_API_KEY_FILE: \/nowhere\/key cannot be read \(ENOENT\)/],
  ])('%s is named with its setting', (_, keyFile, expected) =>
    expect(() => createKeyRing({ keys: [], keyFile })).toThrow(expected),
  );

  it('is read again when another file of the same time replaces it', () => {
    const file = newFile('first');
    const next = newFile('other');
    for (const each of [file, next]) utimesSync(each, 1, 1);
    const ring = createKeyRing({ keys: [], keyFile: file });
    renameSync(next, file);
    expect(ring.current()).toEqual(['other']);
  });

  it('that is replaced during a call with the old key has the call made with the new key', async () => {
    const file = newFile('old');
    const seen: string[] = [];
    const listener: RequestListener = ({ headers }, response) => {
      seen.push(headers.authorization!);
      if (seen.length === 1) writeFileSync(file, 'new-one');
      if (headers.authorization === 'Bearer new-one')
        response.writeHead(201).end(JSON.stringify({ data: ticket }));
      else response.writeHead(401).end('{"error":"Unauthorized"}');
    };
    const v1 = await clientOf(listener, createKeyRing({ keys: [], keyFile: file }));
    expect((await v1.createTicket(newTicket)).ok).toBe(true);
    expect(seen).toEqual(['Bearer old', 'Bearer new-one']);
    expect(v1.isAuthorized()).toBe(true);
  });
});
