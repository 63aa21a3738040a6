import { randomUUID } from 'node:crypto';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { heartbeatMs } from '../../../../shared/contract/events.ts';
import { paths } from '../../../../shared/contract/paths.ts';
import { metricsText } from '../../metrics/metrics.ts';
import { startBff, type TestBff } from '../../../testing/bff.ts';
import { valueOf } from '../../../testing/metrics.ts';
import { databaseOf, useDatabase } from '../../../testing/store/test-store.ts';
import { startStreams } from '../../../testing/streams.ts';

/** A TCP proxy to the server that can be closed. */
async function startProxy(to: URL) {
  const sockets = new Set<Socket>();
  let server: Server;
  const listen = (port: number) =>
    new Promise<void>((resolve) => {
      server = createServer((socket) => {
        const onwards = connect(Number(to.port), to.hostname);
        for (const [from, other] of [
          [socket, onwards],
          [onwards, socket],
        ] as const) {
          sockets.add(from);
          from.on('error', () => {}).on('close', () => other.destroy());
          from.pipe(other);
        }
      }).listen(port, '127.0.0.1', resolve);
    });
  await listen(0);
  const { port } = server!.address() as AddressInfo;
  const url = new URL(to);
  url.port = String(port);
  return {
    url: url.href,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
    open: () => listen(port),
  };
}

let way: Awaited<ReturnType<typeof startProxy>>;
let bff: TestBff;
let dataDir: string;
beforeEach(async () => {
  dataDir = randomUUID();
  way = await startProxy(new URL(await databaseOf(dataDir)));
  useDatabase(dataDir, way.url);
  bff = await startBff({ dataDir });
});
afterEach(async () => {
  await bff.stop();
  way.close();
});

describe('while the server is away', () => {
  it('a ticket is refused as overloaded, the metrics say so, nothing is sent, and it goes out once when the server is back', async () => {
    const ada = bff.browser();
    const key = randomUUID();
    way.close();
    const refused = await ada.openTicket({}, key);
    expect([refused.status, refused.error.code]).toEqual([503, 'overloaded']);
    expect(bff.service.writes()).toEqual([]);
    const metrics = await metricsText([bff]);
    expect(valueOf(metrics, 'deskside_store_errors_total{code="UNREACHABLE"}')).toBeGreaterThan(0);
    expect(valueOf(metrics, 'deskside_store_writable')).toBe(0);
    await way.open();
    await expect.poll(async () => (await ada.openTicket({}, key)).status).toBe(201);
    expect(bff.service.writes()).toHaveLength(1);
  });

  it('or refuses connections to this database, customers read that it is busy, and it recovers', async () => {
    const ada = bff.browser();
    await ada.openTicket();
    const { pathname } = new URL(way.url);
    const name = pathname.slice(1);
    const admin = new pg.Client({ connectionString: process.env['TEST_DATABASE_URL'] });
    await admin.connect();
    await admin.query(`alter database ${name} allow_connections false`);
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    const codes = new Set<string>();
    // More than there were connections.
    for (let n = 0; n < 20; n += 1) codes.add((await ada.get(paths.tickets)).error.code);
    expect([...codes]).toEqual(['overloaded']);
    await admin.query(`alter database ${name} allow_connections true`);
    await admin.end();
    await expect.poll(async () => (await ada.get(paths.tickets)).status).toBe(200);
  });

  it('a send that the service confirms meanwhile is answered as sent, and recorded when the server is back', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    const key = randomUUID();
    bff.service.answer = ({ method }) => {
      if (method === 'POST') way.close();
      return undefined;
    };
    const sent = await ada.post(paths.messages(ticket.id), { body: 'Hello?' }, key);
    expect([sent.status, sent.data.state]).toEqual([201, 'done']);
    bff.service.answer = undefined;
    await way.open();
    await expect.poll(async () => (await ada.get(paths.operation(key))).data.state).toBe('done');
    expect(bff.service.writes()).toHaveLength(2);
  });

  it('a reader gets an error, and can read again when the server is back', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    way.close();
    expect((await ada.get(paths.ticket(ticket.id))).status).toBe(503);
    await way.open();
    await expect.poll(async () => (await ada.get(paths.ticket(ticket.id))).status).toBe(200);
  });

  it('open streams end at the next heartbeat, so that the browsers try another instance', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const own = await startBff({ dataDir });
    const streams = await startStreams(own);
    try {
      const ada = own.browser();
      await ada.openTicket();
      const stream = await streams.listen(ada.cookie);
      way.close();
      vi.advanceTimersByTime(heartbeatMs);
      await stream.ended;
      expect(stream.of('session').at(-1)).not.toMatchObject({ customer: null });
    } finally {
      vi.useRealTimers();
      await way.open();
      await streams.stop();
      await own.stop();
    }
  });
});
