import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gateHeader, idempotencyHeader, paths } from '../../../bff/contract/paths.ts';
import { buildIfNeeded } from '../../../scripts/build-if-needed.ts';
import { startBuiltBff } from '../servers/built-bff.ts';
import { startSlimService } from '../servers/slim-service.ts';

const hookSecret = 'a-secret-of-the-bench';
const openAtOnce = 8;
const warmUpMs = 4_000;
/** How the BFF notices an answer: it reads each ticket; it also reads the list of the newest; it also gets the webhook. */
const ways = ['poll', 'list', 'hint'] as const;
type Way = (typeof ways)[number];
/** The resources that a process uses. */
const mostStreams = 5_000;
const readsPerSecond = 20;
/** Answers are given one after the other. */
const answersPerSecond = 8;
const mostAnswers = 200;
/** With polling an answer may take a whole round, and a round of more tickets is too long for a bench. */
const mostPolled = 2_000;
const patienceMs = (onScreen: number, way: Way) =>
  way === 'poll' ? 10_000 + (onScreen / readsPerSecond) * 1_300 : 60_000;

const addressOf = (customer: number) => `10.9.${customer >> 8}.${customer & 255}`;

/** The service, and as many processes of the BFF as the streams need. They share the reads of a second. */
async function startServers(onScreen: number, way: Way) {
  const service = await startSlimService({ listsChanges: way === 'list' });
  const dir = await mkdtemp(join(tmpdir(), 'deskside-bench-'));
  const processes = Math.ceil(onScreen / mostStreams);
  const bffs = await Promise.all(
    Array.from({ length: processes }, (_, i) =>
      startBuiltBff(service.url, join(dir, String(i)), {
        WEBHOOK_SECRET: hookSecret,
        UPSTREAM_READS_PER_S: String(readsPerSecond / processes),
      }),
    ),
  );
  return {
    service,
    urlOf: (customer: number) => bffs[customer % processes]!.url,
    async stop() {
      await Promise.all(bffs.map((bff) => bff.stop()));
      await service.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** A customer with their conversation on screen; `onMessage` gets the text of each answer. */
async function comeAndLook(
  url: string,
  customer: number,
  onMessage: (body: string) => void,
): Promise<string> {
  const headers = {
    'Sec-Fetch-Site': 'same-origin',
    'X-Forwarded-For': addressOf(customer),
    [gateHeader]: '1',
  };
  const opened = await fetch(url + paths.tickets, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json', [idempotencyHeader]: randomUUID() },
    body: JSON.stringify({
      subject: 'A question',
      description: 'What now?',
      customer_email: `customer${customer}@example.com`,
    }),
  });
  const { data } = (await opened.json()) as { data?: { id: string | null } };
  if (!data?.id) throw new Error(`a ticket was not opened: ${opened.status}`);
  const cookie = opened.headers.get('set-cookie')!.split(';')[0]!;
  await new Promise<void>((resolve, reject) => {
    const request = get(
      `${url}${paths.events}?thread=${data.id}`,
      { agent: false, headers: { ...headers, Cookie: cookie } },
      (response) => {
        let rest = '';
        response.setEncoding('utf8').on('data', (text: string) => {
          const events = (rest + text).split('\n\n');
          rest = events.pop()!;
          for (const event of events) {
            if (event.startsWith('event: sync')) resolve();
            const message = /^event: message\ndata: (.*)$/.exec(event)?.[1];
            if (message) onMessage((JSON.parse(message) as { message: { body: string } }).message.body);
          }
        });
        response.on('error', () => {});
      },
    );
    request.on('error', reject);
  });
  return data.id;
}

interface Run {
  onScreen: number;
  way: Way;
}

/** Milliseconds from each answer to its stream (`null`: it did not arrive), and reads a second. */
async function run({ onScreen, way }: Run): Promise<{ tookMs: (number | null)[]; readsPerSecond: number }> {
  const servers = await startServers(onScreen, way);
  try {
    const answeredAt = new Map<string, number>();
    const tookMs = new Map<string, number>();
    const hear = (body: string) => {
      const at = answeredAt.get(body);
      if (at !== undefined && !tookMs.has(body)) tookMs.set(body, performance.now() - at);
    };
    const looking: { id: string; url: string }[] = [];
    const customers = Array.from({ length: onScreen }, (_, i) => i).values();
    await Promise.all(
      Array.from({ length: openAtOnce }, async () => {
        for (const customer of customers) {
          const url = servers.urlOf(customer);
          looking.push({ id: await comeAndLook(url, customer, hear), url });
        }
      }),
    );
    await sleep(warmUpMs);

    const begun = performance.now();
    const readsBefore = servers.service.reads();
    // Spread over all customers, since the last ones may be together in a list.
    const step = Math.ceil(onScreen / mostAnswers);
    const answered = looking.filter((_, i) => i % step === 0);
    const distanceMs = 1_000 / answersPerSecond;
    for (const [i, { id, url }] of answered.entries()) {
      const body = `Answer ${i}`;
      servers.service.addAnswer(id, body);
      answeredAt.set(body, performance.now());
      if (way === 'hint')
        void fetch(`${url}/hooks/tickets/${hookSecret}`, {
          method: 'POST',
          headers: { 'X-Forwarded-For': addressOf(i) },
          body: JSON.stringify({ ticket_id: id }),
        });
      await sleep(Math.max(0, begun + (i + 1) * distanceMs - performance.now()));
    }
    const deadline = performance.now() + patienceMs(onScreen, way);
    while (tookMs.size < answered.length && performance.now() < deadline) await sleep(100);
    const reads = ((servers.service.reads() - readsBefore) * 1_000) / (performance.now() - begun);
    return { tookMs: [...answeredAt.keys()].map((body) => tookMs.get(body) ?? null), readsPerSecond: reads };
  } finally {
    await servers.stop();
  }
}

/** Prints a table without a verdict. Arguments: numbers of conversations on screen. */
async function main(): Promise<void> {
  await buildIfNeeded();
  const sizes = process.argv.slice(2).map(Number);
  process.stdout.write('From an answer to its stream, in seconds; reads of the service a second\n');
  const print = (cells: string[]) =>
    process.stdout.write(`${cells.map((cell) => cell.padStart(10)).join('')}\n`);
  print(['on screen', 'way', 'answers', 'p50', 'mean', 'p95', 'longest', 'unheard', 'reads/s']);
  for (const onScreen of sizes.length > 0 ? sizes : [100, 500])
    for (const way of ways) {
      if (way === 'poll' && onScreen > mostPolled) continue;
      const { tookMs, readsPerSecond: reads } = await run({ onScreen, way });
      const received = tookMs.filter((ms) => ms !== null).toSorted((a, b) => a - b);
      const at = (share: number) =>
        received[Math.min(received.length - 1, Math.floor(received.length * share))] ?? NaN;
      const mean = received.reduce((sum, ms) => sum + ms, 0) / received.length;
      print([
        String(onScreen),
        way,
        String(tookMs.length),
        ...[at(0.5), mean, at(0.95), at(1)].map((ms) => (ms / 1_000).toFixed(2)),
        String(tookMs.length - received.length),
        reads.toFixed(1),
      ]);
    }
}

await main();
