import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { heartbeatMs } from '../../../bff/contract/events.ts';
import type { Running } from '../../../scripts/processes.ts';
import { forEach, type Stream, timeToAll } from './raw-streams.ts';

const rounds = Number(process.env['ROUNDS'] ?? 5);
const settleMs = 2_000;
/** Long enough for a heartbeat on each stream. */
const idleMs = heartbeatMs + 1_000;
const warmUpStreams = 200;
/** The columns of the printed lines. */
export const columns = [
  'to the last',
  'processor',
  'wait p99',
  'longest wait',
  'memory',
  'after answers',
  'idle',
  'to open one',
];

/** Kilobytes resident after a collection. */
async function residentKb({ child }: Pick<Running, 'child'>): Promise<number> {
  child.kill('SIGUSR2');
  await sleep(settleMs);
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)![1]);
}

/** A server with streams, and the functions to access it. */
export interface Side {
  running: Pick<Running, 'child'>;
  open: (n: number) => Promise<Stream>;
  say: () => Promise<unknown>;
  /** Seconds of processor time used so far. */
  cpu: () => Promise<number>;
  /** Requests of another customer to the same process meanwhile. */
  probe: { url: string; headers: Record<string, string> };
}

export const print = ([what, ...cells]: string[]) =>
  process.stdout.write(`${what!.padEnd(24)}${cells.map((cell) => cell.padStart(14)).join('')}\n`);

const quantile = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!;

/** Repeats a request until `isOver`. Returns the duration of each request in milliseconds. */
async function waitsOf({ url, headers: own }: Side['probe'], isOver: () => boolean): Promise<number[]> {
  const waits: number[] = [];
  while (!isOver()) {
    const begun = performance.now();
    // A kept-alive connection may have just been closed. The wait of such a request counts, too.
    await fetch(url, { headers: { ...own, Connection: 'close' } }).then(
      (response) => response.arrayBuffer(),
      () => {},
    );
    waits.push(performance.now() - begun);
    await sleep(2);
  }
  return waits;
}

/** Opens streams and closes them again, so that one-time allocations of the process are not counted per stream. */
async function warmUp({ open }: Side, viewers: number): Promise<void> {
  const streams: Stream[] = [];
  await forEach(Math.min(warmUpStreams, viewers), async (n) => void streams.push(await open(n)));
  for (const { socket } of streams) socket.destroy();
  await sleep(settleMs);
}

/** Prints one line with the cost of `viewers` streams of this server. */
export async function measure(what: string, side: Side, viewers: number): Promise<void> {
  const { running, open, say, cpu, probe } = side;
  await warmUp(side, viewers);
  const before = await residentKb(running);
  const streams: Stream[] = [];
  const usedAtFirst = await cpu();
  await forEach(viewers, async (n) => void streams.push(await open(n)));
  const openMs = (((await cpu()) - usedAtFirst) * 1_000) / viewers;
  const idle = (await residentKb(running)) - before;
  const usedBefore = await cpu();
  await sleep(idleMs);
  const idleShare = ((await cpu()) - usedBefore) / (idleMs / 1_000);
  const tookMs: number[] = [];
  const cpuMs: number[] = [];
  const waitMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await sleep(500);
    const used = await cpu();
    let isOver = false;
    const waits = waitsOf(probe, () => isOver);
    tookMs.push(await timeToAll(streams, say));
    isOver = true;
    waitMs.push(...(await waits));
    cpuMs.push(((await cpu()) - used) * 1_000);
  }
  const later = (await residentKb(running)) - before;
  for (const { socket } of streams) socket.destroy();
  print([
    what,
    ...[tookMs, cpuMs].map((each) => `${quantile(each, 0.5).toFixed(0)} ms`),
    ...[0.99, 1].map((share) => `${quantile(waitMs, share).toFixed(0)} ms`),
    ...[idle, later].map((kb) => `${(kb / viewers).toFixed(1)} kB`),
    `${(idleShare * 100).toFixed(1)} %`,
    `${openMs.toFixed(2)} ms`,
  ]);
}
