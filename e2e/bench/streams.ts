import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { gateHeader, idempotencyHeader, paths } from '../../bff/contract/paths.ts';
import { buildIfNeeded } from '../../scripts/build-if-needed.ts';
import { freePort, type Running, startNode, untilUp } from '../../scripts/processes.ts';
import { startBuiltBff } from './built-bff.ts';
import { startSlimService } from './slim-service.ts';

/** Streams, each of a customer of its own who holds the one ticket. */
const viewers = Number(process.argv[2] ?? 4_900);
const rounds = Number(process.env['ROUNDS'] ?? 5);
const atOnce = 32;
const hookSecret = 'a-secret-of-the-bench';
/** An event is longer, a heartbeat is shorter. */
const shortestEventBytes = 100;
const patienceMs = 30_000;
const settleMs = 2_000;

const addressOf = (customer: number) => `10.9.${customer >> 8}.${customer & 255}`;

/** Runs `work` for each number below `count`, some at once. */
async function forEach(count: number, work: (n: number) => Promise<void>): Promise<void> {
  const numbers = Array.from({ length: count }, (_, n) => n).values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const n of numbers) await work(n);
    }),
  );
}

interface Stream {
  socket: Socket;
  bytes: number;
  heardAt: number;
}

/** A stream as raw bytes, which costs the bench little. Resolves with its first bytes after the headers. */
async function openStream(url: string, path: string, headers: Record<string, string>): Promise<Stream> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const stream: Stream = { socket, bytes: 0, heardAt: 0 };
  const lines = Object.entries({ Host: `${hostname}:${port}`, ...headers }).map(([k, v]) => `${k}: ${v}\r\n`);
  socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  await new Promise<void>((resolve, reject) => {
    socket.once('data', (bytes) => {
      if (bytes.toString('latin1').startsWith('HTTP/1.1 200')) resolve();
      else reject(new Error(bytes.toString('latin1').slice(0, 200)));
    });
    socket.once('error', reject);
  });
  socket.on('data', (bytes) => {
    stream.bytes += bytes.length;
    stream.heardAt = performance.now();
  });
  return stream;
}

/** Milliseconds until every stream has heard what `say` says. */
async function timeToAll(streams: readonly Stream[], say: () => Promise<unknown>): Promise<number> {
  for (const stream of streams) stream.bytes = 0;
  const begun = performance.now();
  await say();
  const isTold = ({ bytes }: Stream) => bytes >= shortestEventBytes;
  while (!streams.every(isTold) && performance.now() < begun + patienceMs) await sleep(20);
  // The last events of each.
  await sleep(500);
  if (!streams.every(isTold)) throw new Error('a stream has not heard an answer');
  return Math.max(...streams.map(({ heardAt }) => heardAt)) - begun;
}

/** Kilobytes resident after a collection. */
async function residentKb({ child }: Pick<Running, 'child'>): Promise<number> {
  child.kill('SIGUSR2');
  await sleep(settleMs);
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)![1]);
}

interface Side {
  running: Pick<Running, 'child'>;
  open: (n: number) => Promise<Stream>;
  say: () => Promise<unknown>;
  /** Seconds of processor time used so far. */
  cpu: () => Promise<number>;
  /** Longest wait for another answer of the same process while `during` runs, in milliseconds. */
  probe: string;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Asks for `url` again and again until `isOver`; answers the longest wait in milliseconds. */
async function longestWait(url: string, isOver: () => boolean): Promise<number> {
  let longest = 0;
  while (!isOver()) {
    const begun = performance.now();
    // A connection that was kept may have been closed just then: such a request waits no less.
    await fetch(url, { headers: { Connection: 'close' } }).then(
      (answer) => answer.arrayBuffer(),
      () => {},
    );
    longest = Math.max(longest, performance.now() - begun);
    await sleep(2);
  }
  return longest;
}

async function measure(what: string, { running, open, say, cpu, probe }: Side): Promise<void> {
  const before = await residentKb(running);
  const streams: Stream[] = [];
  await forEach(viewers, async (n) => void streams.push(await open(n)));
  const perStream = ((await residentKb(running)) - before) / viewers;
  const tookMs: number[] = [];
  const cpuMs: number[] = [];
  const waitMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await sleep(500);
    const used = await cpu();
    let isOver = false;
    const wait = longestWait(probe, () => isOver);
    tookMs.push(await timeToAll(streams, say));
    isOver = true;
    waitMs.push(await wait);
    cpuMs.push(((await cpu()) - used) * 1_000);
  }
  const after = ((await residentKb(running)) - before) / viewers;
  for (const { socket } of streams) socket.destroy();
  const cells = [
    what.padEnd(16),
    `${median(tookMs).toFixed(0)} ms`.padStart(12),
    `${median(cpuMs).toFixed(0)} ms`.padStart(12),
    `${median(waitMs).toFixed(0)} ms`.padStart(14),
    `${perStream.toFixed(1)} kB`.padStart(12),
    `${after.toFixed(1)} kB`.padStart(14),
  ];
  process.stdout.write(`${cells.join('')}\n`);
}

async function startBare() {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const running = startNode('e2e/bench/bare-streams.ts', {
    PORT: String(port),
    NODE_OPTIONS: '--import=tsx --import=./e2e/bench/collect.mjs',
  });
  await untilUp(`${url}/processor`, running);
  return { url, running };
}

const headers = {
  'Sec-Fetch-Site': 'same-origin',
  [gateHeader]: '1',
};

/** A customer of their own with a ticket; answers cookie and ticket. */
async function comeToBff(url: string, customer: number): Promise<{ cookie: string; id: string }> {
  const opened = await fetch(url + paths.tickets, {
    method: 'POST',
    headers: {
      ...headers,
      'X-Forwarded-For': addressOf(customer),
      'Content-Type': 'application/json',
      [idempotencyHeader]: randomUUID(),
    },
    body: JSON.stringify({
      subject: 'A question',
      description: 'What now?',
      customer_email: `customer${customer}@example.com`,
    }),
  });
  const { data } = (await opened.json()) as { data?: { id: string | null } };
  if (!data?.id) throw new Error(`a ticket was not opened: ${opened.status}`);
  return { cookie: opened.headers.get('set-cookie')!.split(';')[0]!, id: data.id };
}

/** Prints what many streams of one ticket cost, beside a bare server; it judges nothing. Argument: how many streams. */
async function main(): Promise<void> {
  await buildIfNeeded();
  const service = await startSlimService();
  const dir = await mkdtemp(join(tmpdir(), 'deskside-bench-'));
  const profileFile = process.env['PROFILE_FILE'];
  const bff = await startBuiltBff(service.url, dir, {
    WEBHOOK_SECRET: hookSecret,
    NODE_OPTIONS: '--import=./e2e/bench/collect.mjs',
  });
  const bare = await startBare();
  try {
    const cookies: string[] = [];
    let shared = '';
    await forEach(viewers, async (n) => {
      const { cookie, id } = await comeToBff(bff.url, n);
      cookies[n] = cookie;
      shared = id;
    });
    const db = new Database(join(dir, 'deskside.db'));
    db.prepare(
      `INSERT INTO grants (subject_id, ticket_id, created_at)
       SELECT id, ?, 0 FROM subjects WHERE true ON CONFLICT DO NOTHING`,
    ).run(shared);
    db.close();
    const body = `${'We look into it. '.repeat(20)}`;
    process.stdout.write(`One answer to ${viewers} streams, and what a stream holds\n`);
    process.stdout.write(
      `${''.padEnd(16)}${'to the last'.padStart(12)}${'processor'.padStart(12)}${'longest wait'.padStart(14)}${'a stream'.padStart(12)}${'after answers'.padStart(14)}\n`,
    );
    await measure('BFF', {
      running: bff,
      probe: `${bff.adminUrl}/livez`,
      open: (n) =>
        openStream(bff.url, `${paths.events}?thread=${shared}&after=`, {
          ...headers,
          'X-Forwarded-For': addressOf(n),
          'Accept-Encoding': 'gzip, deflate, br',
          Cookie: cookies[n]!,
        }),
      async say() {
        service.addAnswer(shared, body);
        await fetch(`${bff.url}/hooks/tickets/${hookSecret}`, {
          method: 'POST',
          headers: { 'X-Forwarded-For': '10.8.0.1' },
          body: JSON.stringify({ ticket_id: shared }),
        });
      },
      async cpu() {
        const text = await (await fetch(`${bff.adminUrl}/metrics`)).text();
        return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)![1]);
      },
    });
    await measure('bare node:http', {
      running: bare.running,
      probe: `${bare.url}/processor`,
      open: () => openStream(bare.url, '/events', {}),
      say: () =>
        fetch(`${bare.url}/say`, {
          method: 'POST',
          body: `event: message\ndata: ${JSON.stringify({ message: { body, id: randomUUID() } })}\n\n`,
        }),
      cpu: async () => Number(await (await fetch(`${bare.url}/processor`)).text()),
    });
  } finally {
    await bff.stop();
    await bare.running.stop();
    await service.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

await main();
