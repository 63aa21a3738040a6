import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Pool } from 'undici';

/*
 * A peer that the BFF is compared with, in a separate process: a bare node:http server that passes every request on to
 * the service. `GET /plain/{bytes}` answers that many bytes itself. `POST` commits a row to disk before it passes on,
 * since a message that was accepted must outlive the process.
 */
const { PORT, SERVICE_URL, DATA_DIR } = process.env as Record<string, string>;
const pool = new Pool(SERVICE_URL!, { connections: 50 });
const store = new Database(join(DATA_DIR!, 'passthrough.db'));
store.pragma('journal_mode = WAL');
store.pragma('synchronous = FULL');
store.exec('CREATE TABLE sends (id TEXT PRIMARY KEY, body TEXT NOT NULL)');
const insert = store.prepare('INSERT INTO sends VALUES (?, ?)');

createServer((request, response) => {
  const method = request.method as 'GET' | 'POST';
  const path = request.url!;
  const plain = /^\/plain\/(\d+)$/.exec(path)?.[1];
  if (plain) {
    response.writeHead(200, { 'Content-Type': 'text/plain' }).end(Buffer.alloc(Number(plain), 'x'));
    return;
  }
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const body = Buffer.concat(parts);
    if (method === 'POST') insert.run(randomUUID(), body.toString());
    const headers = { 'content-type': 'application/json' };
    void pool.request({ method, path, body: method === 'POST' ? body : null, headers }).then((answer) => {
      response.writeHead(answer.statusCode, { 'Content-Type': 'application/json' });
      answer.body.pipe(response);
    });
  });
}).listen(Number(PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
