import { spawn, spawnSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { Agent, request, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppEnv } from './core/http/context.ts';
import { explain } from './core/operator/command.ts';
import { close, listen } from './server.ts';

const times = {
  headersTimeout: 150,
  requestTimeout: 1_000,
  longestRequest: 10_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 25,
  timeout: 400,
};
const beats = 80;
/** More than the buffers of both ends can hold. */
const muchText = 'x'.repeat(32 * 1024 * 1024);

/** Emits `held` when a request to `/held` is in progress. The request is answered after `go`. */
const held = new EventEmitter();

const app = new Hono<AppEnv>()
  .get('/held', async (c) => {
    const going = once(held, 'go');
    held.emit('held');
    await going;
    return c.text('held');
  })
  .onError((_, c) => c.text('', 400))
  .get('/', (c) => c.text('hello'))
  .get('/last', (c) => c.text(c.req.header('X-Forwarded-For') ?? 'none'))
  .get('/much', (c) => c.text(muchText))
  .post('/', async (c) => c.text(`read ${(await c.req.text()).length}`))
  .get('/stream', async (c) => {
    c.env.outgoing.writeHead(200);
    for (let n = 0; n < beats; n += 1) {
      c.env.outgoing.write('beat\n');
      await sleep(20);
    }
    c.env.outgoing.end();
    return RESPONSE_ALREADY_SENT;
  });

it('an address that another machine has is named, with its setting', async () => {
  const refusal: unknown = await listen(app.fetch, '203.0.113.9', 0).catch((error: unknown) => error);
  expect(explain(refusal)).toBe('203.0.113.9 is no address of this machine: correct HOST or ADMIN_HOST');
});

describe('the server', () => {
  let server: Server;
  const sockets: Socket[] = [];
  const open = async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  };
  const ended = (socket: Socket) => new Promise((resolve) => socket.resume().once('close', resolve));
  const url = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  const openConnections = () =>
    new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));

  beforeEach(async () => {
    server = await listen(app.fetch, '127.0.0.1', 0);
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server.closeAllConnections();
    await close(server);
  });

  describe('with short time limits', () => {
    beforeEach(async () => {
      await close(server);
      server = await listen(app.fetch, '127.0.0.1', 0, { times });
    });

    it('disconnects clients that send nothing [overload-20]', async () => {
      const silent = await Promise.all(Array.from({ length: 50 }, open));
      await Promise.all(silent.map(ended));
      expect(await openConnections()).toBe(0);
    });

    it('disconnects clients that send their headers too slowly [overload-21]', async () => {
      const socket = await open();
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n');
      const drip = setInterval(() => socket.write('X: y\r\n'), 20);
      await ended(socket);
      clearInterval(drip);
      expect(await openConnections()).toBe(0);
    });

    it('disconnects clients that send their body too slowly [overload-22]', async () => {
      const socket = await open();
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 999\r\n\r\n');
      const drip = setInterval(() => socket.write('x'), 20);
      await ended(socket);
      clearInterval(drip);
      expect(await openConnections()).toBe(0);
    });

    it('reads a long body that comes over a slow network', async () => {
      const socket = await open();
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3000\r\n\r\n');
      const answer = once(socket, 'data');
      for (let part = 0; part < 30; part += 1) {
        socket.write('x'.repeat(100));
        await sleep(50);
      }
      expect(String((await answer)[0])).toContain('read 3000');
    });

    it('disconnects clients that do not read the answer [overload-23]', async () => {
      const socket = await open();
      const connection = once(server, 'request').then(([{ socket: serverSide }]) => serverSide as Socket);
      socket.pause().write('GET /much HTTP/1.1\r\nHost: x\r\n\r\n');
      await once(await connection, 'close');
      expect(await openConnections()).toBe(0);
    });

    it('leaves a stream open beyond all of these time limits', async () => {
      const answer = await fetch(url('/stream'));
      expect(await answer.text()).toBe('beat\n'.repeat(beats));
    });
  });

  it('serves other clients while slow clients are connected', async () => {
    await Promise.all(Array.from({ length: 50 }, open));
    expect(await (await fetch(url('/'))).text()).toBe('hello');
    expect(await (await fetch(url('/'), { method: 'POST', body: 'xyz' })).text()).toBe('read 3');
  });

  it('answers requests in progress when it closes, and tells their clients to close the connection', async () => {
    const isUnderWay = once(held, 'held');
    const asking = request(url('/held'), { agent: new Agent({ keepAlive: true }) }).end();
    await isUnderWay;
    const closed = close(server);
    held.emit('go');
    const [answer] = await once(asking, 'response');
    expect([answer.statusCode, answer.headers.connection]).toEqual([200, 'close']);
    answer.resume();
    await closed;
  });

  it('answers a health check over HTTP/1.0 without a host', async () => {
    const socket = await open();
    socket.write('GET / HTTP/1.0\r\n\r\n');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toContain('200 OK');
  });

  it.runIf(process.platform === 'linux')(
    'keeps a thousand connections that come at once waiting',
    async () => {
      const { port } = server.address() as AddressInfo;
      for (let n = 0; n < 1_000; n += 1)
        sockets.push(connect(port, '127.0.0.1').on('error', () => undefined));
      // Node connects them before the server's turn to accept one.
      await new Promise((resolve) => process.nextTick(resolve));
      const listening = `:${port.toString(16).toUpperCase().padStart(4, '0')} 00000000:0000 0A `;
      const line = readFileSync('/proc/net/tcp', 'utf8')
        .split('\n')
        .find((each) => each.includes(listening))!;
      expect(Number.parseInt(/:(\w{8}) \w\w:/.exec(line)![1]!, 16)).toBe(1_000);
    },
  );

  it('reads the header that a proxy appends to more than a thousand others', async () => {
    const socket = await open();
    const others = Array.from({ length: 1_200 }, (_, n) => `a${n}: 1\r\n`).join('');
    socket.write(
      `GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${others}X-Forwarded-For: 203.0.113.7\r\n\r\n`,
    );
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toContain('203.0.113.7');
  });

  it('refuses headers of more than 16 kB [overload-14]', async () => {
    const asking = request(url('/'), { headers: { 'X-Large': 'x'.repeat(17 * 1024) } }).end();
    const [answer] = await once(asking, 'response');
    expect(answer.statusCode).toBe(431);
  });
});

describe('connections of one address', () => {
  let server: Server;
  const sockets: Socket[] = [];
  const shares = { inAll: 100, perAddress: 3, reserve: 10, few: 2 };
  const start = async (options: Parameters<typeof listen>[3]) => {
    server = await listen(app.fetch, '127.0.0.1', 0, { shares, ...options });
  };
  /** The status of the first answer, or how the connection ended without one. */
  const ask = (socket: Socket) =>
    new Promise<string>((resolve) => {
      socket.once('data', (data) => resolve(String(data).slice(9, 12))).once('close', () => resolve('cut'));
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    });
  const open = () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
    sockets.push(socket);
    return socket;
  };
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await close(server);
  });

  it('beyond its share are cut, those within it are served, and a closed one makes room [overload-25]', async () => {
    let refused = 0;
    await start({ onRefused: () => (refused += 1) });
    const first = open();
    const answers = [await ask(first), await ask(open()), await ask(open()), await ask(open())];
    expect(answers).toEqual(['200', '200', '200', 'cut']);
    expect(refused).toBe(1);
    const ended = once(first, 'close');
    first.end();
    await ended;
    await expect.poll(() => ask(open())).toBe('200');
  });

  it('are left to the proxy where there is one', async () => {
    await start({ isBehindProxy: true });
    const answers = await Promise.all(Array.from({ length: 9 }, () => ask(open())));
    expect(answers).toEqual(Array.from({ length: 9 }, () => '200'));
  });
});

describe('a Unix socket', () => {
  const folder = mkdtempSync(join(tmpdir(), 'deskside-socket-'));
  const get = (socketPath: string) =>
    new Promise((resolve, reject) => {
      request({ socketPath }, (answer) => resolve(answer.statusCode))
        .on('error', reject)
        .end();
    });

  it('is served, for whoever may enter its folder, and removed at the end', async () => {
    const path = join(folder, 'a.sock');
    const server = await listen(app.fetch, '', path, { isBehindProxy: true });
    expect(await get(path)).toBe(200);
    expect(statSync(path).mode & 0o666).toBe(0o666);
    await close(server);
    expect(existsSync(path)).toBe(false);
  });

  it('that a killed process left is replaced', async () => {
    const path = join(folder, 'b.sock');
    const code = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', code]);
    expect(existsSync(path)).toBe(true);
    const server = await listen(app.fetch, '', path, { isBehindProxy: true });
    expect(await get(path)).toBe(200);
    await close(server);
  });

  it('of a process that has no time for connections is left to it', async () => {
    const path = join(folder, 'd.sock');
    const code = `require('net').createServer().listen({ path: ${JSON.stringify(path)}, backlog: 1 }, () => {
      require('fs').writeSync(1, 'up');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    })`;
    const busy = spawn(process.execPath, ['-e', code]);
    await once(busy.stdout, 'data');
    const waiting = Array.from({ length: 9 }, () => connect(path).on('error', () => {}));
    await expect(listen(app.fetch, '', path)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    for (const socket of waiting) socket.destroy();
    busy.kill('SIGKILL');
    await once(busy, 'exit');
  });

  it('of a running process, and what is no socket, are left alone', async () => {
    const path = join(folder, 'c.sock');
    const server = await listen(app.fetch, '', path, { isBehindProxy: true });
    const refusal: unknown = await listen(app.fetch, '', path).catch((error: unknown) => error);
    expect(explain(refusal)).toBe(`${path} is in use: set PORT or ADMIN_PORT to a free one`);
    expect(await get(path)).toBe(200);
    await close(server);
    writeFileSync(path, 'kept');
    await expect(listen(app.fetch, '', path)).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect(readFileSync(path, 'utf8')).toBe('kept');
  });
});
