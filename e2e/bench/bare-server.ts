import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import Database from 'better-sqlite3';
import pg from 'pg';
import { Pool } from 'undici';

/*
 * What the BFF is compared with, in a process of its own: a bare node:http server. It passes requests on to the
 * service, and commits a row before it passes on a POST, since an accepted message must outlive the process: to
 * `DATABASE_URL`, if there is one, else to a file.
 * `GET /plain/{bytes}` answers that many bytes, `GET /events` is a stream, `POST /say` writes its body to all streams,
 * and `POST /keep` writes it to a file.
 */
const { PORT, SERVICE_URL, DATA_DIR, DATABASE_URL } = process.env as Record<string, string>;
const pool = new Pool(SERVICE_URL!, { connections: 50 });
const table = 'CREATE TABLE IF NOT EXISTS bare_sends (id TEXT PRIMARY KEY, body TEXT NOT NULL)';
const commit = DATABASE_URL ? await openServer(DATABASE_URL) : openFile();
const streams = new Set<ServerResponse>();

function openFile() {
  const store = new Database(join(DATA_DIR!, 'bare.db'));
  store.pragma('journal_mode = WAL');
  store.pragma('synchronous = FULL');
  store.exec(table);
  const insert = store.prepare('INSERT INTO bare_sends VALUES (?, ?)');
  return async (body: string) => void insert.run(randomUUID(), body);
}

async function openServer(url: string) {
  const server = new pg.Pool({ connectionString: url });
  await server.query(table);
  const insert = { name: 'insert', text: 'INSERT INTO bare_sends VALUES ($1, $2)' };
  return async (body: string) => void (await server.query({ ...insert, values: [randomUUID(), body] }));
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url: path } = request as { method: 'GET' | 'POST'; url: string };
  const plain = /^\/plain\/(\d+)$/.exec(path)?.[1];
  if (plain) {
    response.writeHead(200, { 'Content-Type': 'text/plain' }).end(Buffer.alloc(Number(plain), 'x'));
    return;
  }
  if (path === '/events') {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write(': hello\n\n');
    streams.add(response);
    response.on('close', () => streams.delete(response));
    return;
  }
  if (path === '/keep') {
    const file = await open(join(DATA_DIR!, randomUUID()), 'wx');
    for await (const chunk of request) await file.write(chunk as Buffer);
    await file.sync();
    await file.close();
    response.writeHead(201).end();
    return;
  }
  const body = await buffer(request);
  if (path === '/say') {
    for (const stream of streams) stream.write(body);
    response.end();
    return;
  }
  if (method === 'POST') await commit(body.toString());
  const headers = { 'content-type': 'application/json' };
  const passed = await pool.request({ method, path, body: method === 'POST' ? body : null, headers });
  response.writeHead(passed.statusCode, { 'Content-Type': 'application/json' });
  passed.body.pipe(response);
}

createServer((request, response) => void answer(request, response)).listen(Number(PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
