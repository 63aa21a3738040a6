import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Kysely, type LogEvent, sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isUnavailable } from '../errors.ts';
import { openPool, postgresDialect } from './connections.ts';

/** A message of PostgreSQL's protocol. */
function message(type: string, body: string | Buffer): Buffer {
  const bytes = Buffer.from(body);
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
}
const ready = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', 'I')]);

let server: Server;
let connections: number;
beforeEach(async () => {
  connections = 0;
  // A pooler with a broken connection to the server: it accepts connections, and answers each statement as PgBouncer
  // does.
  server = createServer((socket: Socket) => {
    connections += 1;
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(ready);
      socket.on('data', () => socket.end(message('E', 'SFATAL\0C08P01\0Mserver conn crashed?\0\0')));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

it('a pooler that has lost the server counts as a server that is away, and its connection is not used again', async () => {
  const { port } = server.address() as AddressInfo;
  const db = new Kysely({
    dialect: postgresDialect(openPool(`postgres://deskside@127.0.0.1:${port}/postgres`)),
  });
  const ask = () =>
    sql`select 1`.execute(db).then(
      () => null,
      (error: unknown) => isUnavailable(error),
    );
  expect([await ask(), await ask()]).toEqual([true, true]);
  expect(connections).toBe(2);
  await db.destroy();
});

it('a transaction whose statement gets no answer ends with that statement, without a second wait', async () => {
  const silent = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(ready);
      socket.once('data', () => socket.write(Buffer.concat([message('C', 'BEGIN\0'), message('Z', 'T')])));
    });
  }).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const pool = openPool(`postgres://deskside@127.0.0.1:${port}/postgres`, { query_timeout: 50 });
  const asked: string[] = [];
  const log = ({ query }: LogEvent) => void asked.push(query.sql);
  const db = new Kysely({ dialect: postgresDialect(pool), log });
  await expect(db.transaction().execute((trx) => sql`select 1`.execute(trx))).rejects.toSatisfy(
    isUnavailable,
  );
  await db.destroy();
  await new Promise((resolve) => silent.close(resolve));
  expect(asked).toEqual(['begin', 'select 1']);
});

it('a standby is not used, since it may lack what is stored already, and its address may lead to the primary later', async () => {
  let isStandby = true;
  const asked: string[] = [];
  const promoted = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(Buffer.concat([message('S', `in_hot_standby\0${isStandby ? 'on' : 'off'}\0`), ready]));
      socket.on('data', (bytes) => {
        asked.push(bytes.toString('latin1'));
        socket.write(Buffer.concat([message('C', 'SELECT 0\0'), message('Z', 'I')]));
      });
    });
  }).listen(0, '127.0.0.1');
  await once(promoted, 'listening');
  const { port } = promoted.address() as AddressInfo;
  const db = new Kysely({
    dialect: postgresDialect(openPool(`postgres://deskside@127.0.0.1:${port}/postgres`)),
  });
  const ask = () => sql`select 1`.execute(db);
  await expect(ask()).rejects.toThrow('it is a standby, whose content may be old: name the primary server');
  await expect(ask()).rejects.toSatisfy(isUnavailable);
  expect(asked.filter((bytes) => bytes.includes('select 1'))).toEqual([]);
  isStandby = false;
  await ask();
  await db.destroy();
  await new Promise((resolve) => promoted.close(resolve));
});
