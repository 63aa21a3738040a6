import Database from 'better-sqlite3';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { heartbeatMs } from '../../shared/contract/events.ts';
import { paths } from '../../shared/contract/paths.ts';
import { type FakeService, startFakeService } from '../../scripts/fake-service.ts';
import { type Customer, openTickets } from './customers.ts';
import type { BenchOptions, Figure, Section } from './report.ts';
import { cpuSeconds, memoryKb, startBareServer, startBuiltBff } from './servers.ts';

const hookSecret = 'a-secret-of-the-bench';
const answer = 'We look into it. '.repeat(20);
const atOnce = 32;
const warmUpStreams = 200;
const settleMs = 2_000;
/** Long enough for a heartbeat on each stream. */
const idleMs = heartbeatMs + 1_000;
/** An event is longer, a heartbeat is shorter. */
const shortestEventBytes = 100;
const patienceMs = 30_000;

/** What Chromium sends with a stream, except the host, the address and the cookie. */
const streamHeaders = {
  'User-Agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
  'sec-ch-ua': '"Chromium";v="156", "Not_A Brand";v="24"',
  'sec-ch-ua-mobile': '?0',
  'sec-ch-ua-platform': '"Linux"',
  Accept: 'text/event-stream',
  'Accept-Encoding': 'gzip, deflate, br',
  'Accept-Language': 'en-GB,en;q=0.9',
  'Sec-Fetch-Mode': 'cors',
  'Sec-Fetch-Dest': 'empty',
};

interface Stream {
  socket: Socket;
  bytes: number;
  receivedAt: number;
}

/** A server with streams. */
interface Side {
  url: string;
  pid: number;
  /** Path and headers of the n-th stream. */
  streamOf: (n: number) => { path: string; headers: Record<string, string> };
  /** Lets each stream have one message. */
  say: () => Promise<unknown>;
  /** A request of another customer to the same process. */
  probe: { path: string; headers: Record<string, string> };
}

/** Runs `work` for each number below `count`, several at a time. */
async function forEach(count: number, work: (n: number) => Promise<void>): Promise<void> {
  const numbers = Array.from({ length: count }, (_, n) => n).values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const n of numbers) await work(n);
    }),
  );
}

/** Streams as raw bytes, which cost the bench little. Resolves when each has its first bytes. */
async function openStreams({ url, streamOf }: Side, count: number): Promise<Stream[]> {
  const { hostname, port, host } = new URL(url);
  const streams: Stream[] = [];
  await forEach(count, async (n) => {
    const socket = connect(Number(port), hostname);
    const stream: Stream = { socket, bytes: 0, receivedAt: 0 };
    const { path, headers } = streamOf(n);
    const lines = Object.entries({ Host: host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.once('data', (bytes) => {
        if (bytes.toString('latin1').startsWith('HTTP/1.1 200')) resolve();
        else reject(new Error(bytes.toString('latin1').slice(0, 200)));
      });
    });
    socket.on('data', (bytes) => {
      stream.bytes += bytes.length;
      stream.receivedAt = performance.now();
    });
    streams.push(stream);
  });
  return streams;
}

/** Milliseconds until every stream has received what `say` says. */
async function timeToAll(streams: readonly Stream[], say: Side['say']): Promise<number> {
  for (const stream of streams) stream.bytes = 0;
  const begun = performance.now();
  await say();
  const isDone = ({ bytes }: Stream) => bytes >= shortestEventBytes;
  while (!streams.every(isDone) && performance.now() < begun + patienceMs) await sleep(20);
  // The last events of each.
  await sleep(500);
  if (!streams.every(isDone)) throw new Error('a stream has not received an answer');
  return Math.max(...streams.map(({ receivedAt }) => receivedAt)) - begun;
}

/** Repeats the probe until `isOver`; the duration of each in milliseconds. */
async function waitsOf({ url, probe }: Side, isOver: () => boolean): Promise<number[]> {
  const waits: number[] = [];
  while (!isOver()) {
    const begun = performance.now();
    // A kept-alive connection may have just been closed. The wait of such a request counts, too.
    await fetch(url + probe.path, { headers: { ...probe.headers, Connection: 'close' } }).then(
      (response) => response.arrayBuffer(),
      () => {},
    );
    waits.push(performance.now() - begun);
    await sleep(2);
  }
  return waits;
}

/** Kilobytes resident after a collection (`collect.mjs`). */
async function residentKb(pid: number): Promise<number> {
  process.kill(pid, 'SIGUSR2');
  await sleep(settleMs);
  return memoryKb(pid);
}

const units = {
  'answer to the last stream': 'ms',
  'processor time of an answer': 'ms',
  'wait of another customer meanwhile, 99th percentile': 'ms',
  'memory of a stream': 'kB',
  'processor with heartbeats only': '%',
  'processor time to open a stream': 'ms',
} as const;
type Measured = Record<keyof typeof units, number[]>;

async function measure(side: Side, viewers: number, rounds: number): Promise<Measured> {
  const { pid, say } = side;
  // One-time allocations of the process are not counted.
  for (const { socket } of await openStreams(side, Math.min(warmUpStreams, viewers))) socket.destroy();
  await sleep(settleMs);
  const kbBefore = await residentKb(pid);
  const cpuBefore = await cpuSeconds(pid);
  const streams = await openStreams(side, viewers);
  const openMs = (((await cpuSeconds(pid)) - cpuBefore) * 1_000) / viewers;
  const kb = ((await residentKb(pid)) - kbBefore) / viewers;
  const cpuBeforeIdle = await cpuSeconds(pid);
  await sleep(idleMs);
  const idlePercent = (((await cpuSeconds(pid)) - cpuBeforeIdle) * 100_000) / idleMs;
  const [tookMs, cpuMs, waitMs]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    await sleep(500);
    const used = await cpuSeconds(pid);
    let isOver = false;
    const waits = waitsOf(side, () => isOver);
    tookMs.push(await timeToAll(streams, say));
    isOver = true;
    const sorted = (await waits).toSorted((a, b) => a - b);
    waitMs.push(sorted[Math.floor((sorted.length - 1) * 0.99)]!);
    cpuMs.push(((await cpuSeconds(pid)) - used) * 1_000);
  }
  for (const { socket } of streams) socket.destroy();
  return {
    'answer to the last stream': tookMs,
    'processor time of an answer': cpuMs,
    'wait of another customer meanwhile, 99th percentile': waitMs,
    'memory of a stream': [kb],
    'processor with heartbeats only': [idlePercent],
    'processor time to open a stream': [openMs],
  };
}

function changeStore(dir: string, sql: string): void {
  const db = new Database(join(dir, 'deskside.db'));
  db.exec(sql);
  db.close();
}

const startBff = (serviceUrl: string, dir: string) =>
  startBuiltBff(serviceUrl, {
    DATA_DIR: dir,
    WEBHOOK_SECRET: hookSecret,
    NODE_OPTIONS: '--import=./e2e/bench/collect.mjs',
  });

/** Customers who all may read the ticket of the last one, and one who does not have it on screen. */
async function fill(serviceUrl: string, dir: string, viewers: number): Promise<Customer[]> {
  const bff = await startBff(serviceUrl, dir);
  const customers: Customer[] = [];
  await forEach(viewers + 1, async (n) => void (customers[n] = await openTickets(bff.url, 1, n)));
  await bff.stop();
  changeStore(
    dir,
    `INSERT INTO grants (subject_id, ticket_id, created_at)
     SELECT id, '${customers.at(-1)!.id}', 0 FROM subjects WHERE true ON CONFLICT DO NOTHING`,
  );
  return customers;
}

async function measureBff(
  service: FakeService & { url: string },
  dir: string,
  customers: Customer[],
  rounds: number,
) {
  const bff = await startBff(service.url, dir);
  const { id, headers } = customers.at(-1)!;
  try {
    return await measure(
      {
        ...bff,
        streamOf: (n) => ({
          path: `${paths.events}?thread=${id}&after=`,
          headers: { ...streamHeaders, ...customers[n]!.headers },
        }),
        async say() {
          service.addMessage(id, 'agent', answer);
          await fetch(`${bff.url}/hooks/tickets/${hookSecret}`, {
            method: 'POST',
            headers: { 'X-Forwarded-For': '10.8.0.1' },
            body: JSON.stringify({ ticket_id: id }),
          });
        },
        probe: { path: paths.session, headers },
      },
      customers.length - 1,
      rounds,
    );
  } finally {
    await bff.stop();
  }
}

/** One answer to many streams of one ticket, beside a bare server that writes it to as many streams. */
export async function benchStreams({ isQuick }: BenchOptions): Promise<Section> {
  const [viewers, rounds] = isQuick ? [500, 2] : [5_000, 5];
  const service = await startFakeService();
  const dir = await mkdtemp(join(tmpdir(), 'deskside-bench-'));
  const bare = await startBareServer(service.url, dir);
  const event = `event: message\ndata: ${JSON.stringify({ message: { body: answer, id: randomUUID() } })}\n\n`;
  try {
    const customers = await fill(service.url, dir, viewers);
    const ofMany = await measureBff(service, dir, customers, rounds);
    changeStore(dir, 'UPDATE sessions SET subject_id = (SELECT min(subject_id) FROM sessions)');
    const ofOne = await measureBff(service, dir, customers, rounds);
    const theirs = await measure(
      {
        ...bare,
        streamOf: () => ({ path: '/events', headers: streamHeaders }),
        say: () => fetch(`${bare.url}/say`, { method: 'POST', body: event }),
        probe: { path: '/plain/100', headers: {} },
      },
      viewers,
      rounds,
    );
    const figuresOf = (whose: string, ours: Measured): Figure[] =>
      Object.entries(units).map(([what, unit]) => ({
        table: `${viewers} streams of one ticket, ${whose}`,
        what,
        unit,
        of: ours[what as keyof Measured],
        beside: { 'bare server': theirs[what as keyof Measured] },
      }));
    return {
      figures: [...figuresOf('of as many customers', ofMany), ...figuresOf('of one customer', ofOne)],
      notes: ['The bare server is `node:http`: it has no sessions and writes the same text to all streams.'],
    };
  } finally {
    await bare.stop();
    await service.stop();
    await rm(dir, { recursive: true, force: true });
  }
}
