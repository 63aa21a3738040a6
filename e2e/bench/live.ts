import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gateHeader, idempotencyHeader, paths } from '../../bff/contract/paths.ts';
import { buildIfNeeded } from '../../scripts/build-if-needed.ts';
import { startBuiltBff } from './built-bff.ts';
import { startSlimService } from './slim-service.ts';

const hookSecret = 'a-secret-of-the-bench';
const openAtOnce = 8;
const warmUpMs = 5_000;
/** Answers are given one after the other: so many a second with the webhook, and in so long without it. */
const hintedPerSecond = 8;
const mostHinted = 200;
const pollSpreadMs = 20_000;
const patienceMs = 60_000;

const addressOf = (customer: number) => `10.9.${customer >> 8}.${customer & 255}`;

async function startPlace() {
  const service = await startSlimService();
  const dir = await mkdtemp(join(tmpdir(), 'deskside-bench-'));
  const bff = await startBuiltBff(service.url, dir, { WEBHOOK_SECRET: hookSecret });
  return {
    service,
    url: bff.url,
    async stop() {
      await bff.stop();
      await service.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** A customer with their conversation on screen; `onMessage` hears the text of each answer. */
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
  isHinted: boolean;
}

/** Milliseconds from each answer to its stream, `null` when it was not heard in a minute, and reads a second. */
async function run({
  onScreen,
  isHinted,
}: Run): Promise<{ tookMs: (number | null)[]; readsPerSecond: number }> {
  const place = await startPlace();
  try {
    const answeredAt = new Map<string, number>();
    const tookMs = new Map<string, number>();
    const hear = (body: string) => {
      const at = answeredAt.get(body);
      if (at !== undefined && !tookMs.has(body)) tookMs.set(body, performance.now() - at);
    };
    const ids: string[] = [];
    const customers = Array.from({ length: onScreen }, (_, i) => i).values();
    await Promise.all(
      Array.from({ length: openAtOnce }, async () => {
        for (const customer of customers) ids.push(await comeAndLook(place.url, customer, hear));
      }),
    );
    await sleep(warmUpMs);

    const begun = performance.now();
    const readsBefore = place.service.reads();
    const answered = isHinted ? ids.slice(0, mostHinted) : ids;
    const distanceMs = isHinted ? 1_000 / hintedPerSecond : pollSpreadMs / answered.length;
    for (const [i, id] of answered.entries()) {
      const body = `Answer ${i}`;
      place.service.addAnswer(id, body);
      answeredAt.set(body, performance.now());
      if (isHinted)
        void fetch(`${place.url}/hooks/tickets/${hookSecret}`, {
          method: 'POST',
          headers: { 'X-Forwarded-For': addressOf(i) },
          body: JSON.stringify({ ticket_id: id }),
        });
      await sleep(Math.max(0, begun + (i + 1) * distanceMs - performance.now()));
    }
    const deadline = performance.now() + patienceMs;
    while (tookMs.size < answered.length && performance.now() < deadline) await sleep(100);
    const readsPerSecond = ((place.service.reads() - readsBefore) * 1_000) / (performance.now() - begun);
    return { tookMs: [...answeredAt.keys()].map((body) => tookMs.get(body) ?? null), readsPerSecond };
  } finally {
    await place.stop();
  }
}

/** Prints a table; it judges nothing. Arguments: numbers of conversations on screen. */
async function main(): Promise<void> {
  await buildIfNeeded();
  const sizes = process.argv.slice(2).map(Number);
  process.stdout.write('From an answer to its stream, in seconds; reads of the service a second\n');
  const print = (cells: string[]) =>
    process.stdout.write(`${cells.map((cell) => cell.padStart(10)).join('')}\n`);
  print(['on screen', 'webhook', 'answers', 'p50', 'mean', 'p99', 'longest', 'unheard', 'reads/s']);
  for (const onScreen of sizes.length > 0 ? sizes : [100, 500])
    for (const isHinted of [false, true]) {
      const { tookMs, readsPerSecond } = await run({ onScreen, isHinted });
      const heard = tookMs.filter((ms) => ms !== null).toSorted((a, b) => a - b);
      const at = (share: number) =>
        heard[Math.min(heard.length - 1, Math.floor(heard.length * share))] ?? NaN;
      const mean = heard.reduce((sum, ms) => sum + ms, 0) / heard.length;
      print([
        String(onScreen),
        isHinted ? 'yes' : 'no',
        String(tookMs.length),
        ...[at(0.5), mean, at(0.99), at(1)].map((ms) => (ms / 1_000).toFixed(2)),
        String(tookMs.length - heard.length),
        readsPerSecond.toFixed(1),
      ]);
    }
}

await main();
