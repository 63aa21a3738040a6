import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { request } from 'undici';
import nodemailer from 'nodemailer';
import pg from 'pg';
import { expect, it } from 'vitest';
import { explainConnection } from './connection-errors.ts';

const thrownBy = (attempt: Promise<unknown>) =>
  attempt.then(
    () => null,
    (error: unknown) => error,
  );

/** A server that greets in plain text, as a mail server does. */
async function plainServer() {
  const server = createServer((socket) => socket.on('error', () => {}).end('220 mail.example\r\n'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

/** A database server without TLS. */
async function serverWithoutTls() {
  const server = createServer((socket) => socket.on('error', () => {}).once('data', () => socket.write('N')));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

const verify = (url: string) => nodemailer.createTransport({ url, connectionTimeout: 2_000 }).verify();
const connect = (connectionString: string) => new pg.Client({ connectionString }).connect();

it.each([
  ['the ticket service', () => request('http://127.0.0.1:1'), 'nothing listens'],
  ['the mail server', () => verify('smtp://127.0.0.1:1'), 'nothing listens'],
  ['the database', () => connect('postgres://127.0.0.1:1/x'), 'nothing listens'],
  ['the mail server', () => verify('smtp://nowhere.invalid:25'), 'not known to DNS'],
  ['the database', () => connect('postgres://nowhere.invalid/x'), 'not known to DNS'],
  ['the database at a socket', () => connect('postgres:///x?host=/nowhere'), 'no socket at that path'],
])('an error of the connection to %s is explained (%#)', async (_, attempt, words) => {
  expect(explainConnection(await thrownBy(attempt()))).toContain(words);
});

it('TLS where plain text is spoken is explained for a mail server and the ticket service', async () => {
  const { port, close } = await plainServer();
  expect(explainConnection(await thrownBy(verify(`smtps://127.0.0.1:${port}`)))).toContain(
    'no TLS is spoken',
  );
  expect(explainConnection(await thrownBy(request(`https://127.0.0.1:${port}`)))).toContain(
    'no TLS is spoken',
  );
  close();
});

it('a database server without TLS is explained where the address asks for it', async () => {
  const { port, close } = await serverWithoutTls();
  const error = await thrownBy(connect(`postgres://127.0.0.1:${port}/x?sslmode=verify-full`));
  expect(explainConnection(error)).toContain('it offers no TLS');
  close();
});

it('a database server that accepts a connection and says nothing is explained by that', async () => {
  const server = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const pool = new pg.Pool({
    connectionString: `postgres://127.0.0.1:${port}/x`,
    connectionTimeoutMillis: 50,
  });
  expect(explainConnection(await thrownBy(pool.connect()))).toContain('no answer came in time');
  await pool.end();
  server.close();
});

it('an error that is of no connection is not explained', () => {
  expect(explainConnection(new Error('no such table'))).toBeNull();
  expect(explainConnection('text')).toBeNull();
});

it.each([
  ['statement_timeout', 'ignore_startup_parameters'],
  ['options', 'DATABASE_NOTIFY_URL'],
])('PgBouncer that refuses the parameter %s is explained', (parameter, words) => {
  const error = new Error(`unsupported startup parameter: ${parameter}`);
  expect(explainConnection(error)).toContain(words);
});

it.each([
  ['transaction blocks not allowed in statement pooling mode', 'set its pool_mode to transaction'],
  ['no more connections allowed (max_client_conn)', 'raise its max_client_conn'],
  ['query_wait_timeout', 'raise its default_pool_size'],
  ['server login has been failing, try again later (server_login_retry)', 'PgBouncer answers'],
  ['server conn crashed?', 'PgBouncer answers'],
])('PgBouncer that cannot serve a connection is explained: “%s”', (sentence, words) => {
  expect(explainConnection(Object.assign(new Error(sentence), { code: '08P01' }))).toContain(words);
});
