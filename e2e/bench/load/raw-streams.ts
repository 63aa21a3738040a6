import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const atOnce = 32;
/** An event is longer, a heartbeat is shorter. */
const shortestEventBytes = 100;
const patienceMs = 30_000;

/** Runs `work` for each number below `count`, several at a time. */
export async function forEach(count: number, work: (n: number) => Promise<void>): Promise<void> {
  const numbers = Array.from({ length: count }, (_, n) => n).values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const n of numbers) await work(n);
    }),
  );
}

export interface Stream {
  socket: Socket;
  bytes: number;
  receivedAt: number;
}

/** A stream as raw bytes, which costs the bench little. Resolves with its first bytes after the headers. */
export async function openStream(
  url: string,
  path: string,
  headers: Record<string, string>,
): Promise<Stream> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const stream: Stream = { socket, bytes: 0, receivedAt: 0 };
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
    stream.receivedAt = performance.now();
  });
  return stream;
}

/** Milliseconds until every stream has received what `publish` publishes. */
export async function timeToAll(
  streams: readonly Stream[],
  publish: () => Promise<unknown>,
): Promise<number> {
  for (const stream of streams) stream.bytes = 0;
  const begun = performance.now();
  await publish();
  const isDone = ({ bytes }: Stream) => bytes >= shortestEventBytes;
  while (!streams.every(isDone) && performance.now() < begun + patienceMs) await sleep(20);
  // The last events of each.
  await sleep(500);
  if (!streams.every(isDone)) throw new Error('a stream has not received an answer');
  return Math.max(...streams.map(({ receivedAt }) => receivedAt)) - begun;
}
