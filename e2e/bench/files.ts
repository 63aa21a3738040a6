import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { fileNameHeader, filesPath } from '../../shared/contract/files.ts';
import { idempotencyHeader } from '../../shared/contract/paths.ts';
import { startFakeService } from '../../scripts/fake-service.ts';
import { type Customer, openTickets } from './customers.ts';
import type { BenchOptions, Figure, Section } from './report.ts';
import { memoryKb, startBareServer, startBuiltBff } from './servers.ts';

const connections = 8;
/** Each may upload 100 files an hour, and a fast machine takes thousands in a round. */
const customerCount = 400;
const atOnce = 50;
const largest = 10_000_000;

/** A JPEG of that many bytes, as an app sends it: nothing in it needs to be erased. */
function photoOf(bytes: number): Buffer {
  const photo = Buffer.alloc(bytes, 0x55);
  photo.set([
    0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0x03, 0xc0, 0x05, 0x00, 1, 1, 0x11, 0, 0xff, 0xda, 0, 8, 1, 1, 0, 0, 63,
    0,
  ]);
  photo.set([0xff, 0xd9], bytes - 2);
  return photo;
}

async function send(url: string, headers: Record<string, string>, body: Buffer): Promise<void> {
  const { statusCode, body: answer } = await request(url, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'image/jpeg',
      [fileNameHeader]: 'photo.jpg',
      [idempotencyHeader]: randomUUID(),
    },
    body,
  });
  const text = await answer.text();
  if (statusCode !== 201) throw new Error(`${url}: ${statusCode} ${text}`);
}

/** Megabytes a second. `sendOne`: sends the n-th. */
async function rate(sendOne: (n: number) => Promise<void>, bytes: number, seconds: number): Promise<number> {
  const from = performance.now();
  let sent = 0;
  const sender = async () => {
    while (performance.now() - from < seconds * 1_000) await sendOne(sent++);
  };
  await Promise.all(Array.from({ length: connections }, sender));
  return (sent * bytes) / 1e6 / ((performance.now() - from) / 1_000);
}

/** Files that customers upload, beside a server that only writes the same bytes to the disk. */
export async function benchFiles({ isQuick }: BenchOptions): Promise<Section> {
  const { rounds, seconds } = isQuick ? { rounds: 2, seconds: 2 } : { rounds: 5, seconds: 5 };
  const service = await startFakeService();
  const dir = await mkdtemp(join(tmpdir(), 'deskside-bench-'));
  const bare = await startBareServer(service.url, dir);
  const bff = await startBuiltBff(service.url, { FILES_DAILY_BYTES: '100000000000' });
  try {
    const customers: Customer[] = [];
    for (let n = 0; n < customerCount; n += 1) customers.push(await openTickets(bff.url, 1, n));
    const headersOf = (n: number) => customers[n % customerCount]!.headers;
    const figures: Figure[] = [];
    for (const bytes of [300_000, largest]) {
      const photo = photoOf(bytes);
      const toBff = (n: number) => send(bff.url + filesPath, headersOf(n), photo);
      const toBare = () => send(`${bare.url}/keep`, {}, photo);
      await rate(toBff, bytes, 1);
      await rate(toBare, bytes, 1);
      const [ours, theirs]: [number[], number[]] = [[], []];
      for (let round = 0; round < rounds; round += 1) {
        ours.push(await rate(toBff, bytes, seconds));
        theirs.push(await rate(toBare, bytes, seconds));
      }
      const what = `uploads of ${bytes / 1e6} MB, ${connections} at once`;
      figures.push({ table: 'Uploads', what, unit: 'MB/s', of: ours, beside: { 'bare server': theirs } });
    }
    await sleep(5_000);
    const rest = await memoryKb(bff.pid);
    let most = 0;
    const watching = setInterval(() => {
      void memoryKb(bff.pid).then((now) => (most = Math.max(most, now)));
    }, 20);
    const photo = photoOf(largest);
    await Promise.all(
      Array.from({ length: atOnce }, (_, n) => send(bff.url + filesPath, headersOf(n), photo)),
    );
    clearInterval(watching);
    figures.push({
      table: 'Memory',
      what: `${atOnce} uploads of ${largest / 1e6} MB at once, above rest`,
      unit: 'MB',
      of: [(most - rest) / 1024],
    });
    return {
      figures,
      notes: [
        '**bare server** is a `node:http` server that writes a body to a file, and waits until the disk has it.',
      ],
    };
  } finally {
    await bff.stop();
    await bare.stop();
    await service.stop();
    await rm(dir, { recursive: true, force: true });
  }
}
