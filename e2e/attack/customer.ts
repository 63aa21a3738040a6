import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { gateHeader, idempotencyHeader, paths } from '../../bff/contract/paths.ts';

const askMs = 100;
const replyMs = 4_000;
const giveUpMs = 10_000;

let customers = 0;

function summaryOf(timesMs: readonly number[]) {
  const sorted = timesMs.map(Math.round).sort((a, b) => a - b);
  return {
    answers: sorted.length,
    medianMs: sorted[Math.floor(sorted.length / 2)] ?? 0,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    slowestMs: sorted.at(-1) ?? 0,
  };
}

/**
 * A customer with a ticket, who reads, replies and has a stream open until stopped. Each customer has another address.
 */
export async function startCustomer(bffUrl: string) {
  customers += 1;
  const agent = new Agent({ headersTimeout: giveUpMs, bodyTimeout: 0 });
  const headers: Record<string, string> = {
    'Sec-Fetch-Site': 'same-origin',
    'X-Forwarded-For': `203.0.113.${customers}`,
    [gateHeader]: '1',
  };
  const times: number[] = [];
  const failures: string[] = [];
  let sent = 0;
  let isStreaming = true;
  const over = new AbortController();

  const get = (path: string) => request(bffUrl + path, { dispatcher: agent, headers });
  const post = (path: string, body: object) =>
    request(bffUrl + path, {
      method: 'POST',
      dispatcher: agent,
      headers: { ...headers, 'Content-Type': 'application/json', [idempotencyHeader]: randomUUID() },
      body: JSON.stringify(body),
    });
  async function timed(what: string, ask: () => ReturnType<typeof get>): Promise<void> {
    const startedAt = performance.now();
    try {
      const { statusCode, body } = await ask();
      await body.dump();
      times.push(performance.now() - startedAt);
      if (statusCode >= 300) failures.push(`${what}: ${statusCode}`);
    } catch (error) {
      failures.push(`${what}: ${String(error)}`);
    }
  }

  const opened = await post(paths.tickets, {
    subject: 'Slow sockets',
    description: 'Am I still served?',
    customer_email: `customer-${customers}@example.com`,
  });
  const { data } = (await opened.body.json()) as { data: { id: string } };
  headers['Cookie'] = String(opened.headers['set-cookie']).split(';')[0]!;
  const stream = await get(`${paths.events}?thread=${data.id}`);
  stream.body
    .on('error', () => undefined)
    .on('close', () => (isStreaming = false))
    .resume();

  async function keepOn(pauseMs: number, work: () => Promise<void>): Promise<void> {
    while (!over.signal.aborted) {
      await work();
      await sleep(pauseMs);
    }
  }
  const work = Promise.all([
    keepOn(askMs, async () => {
      await timed('list', () => get(paths.tickets));
      await timed('frame', () => get('/frame'));
    }),
    keepOn(replyMs, async () => {
      await timed('reply', () => post(paths.messages(data.id), { body: `Still here ${sent}` }));
      sent += 1;
    }),
  ]);

  return {
    /** How the customer fared; times in milliseconds. */
    async stop() {
      const wasStreaming = isStreaming;
      over.abort();
      await work;
      await agent.destroy();
      const isStillStreaming = wasStreaming && stream.statusCode === 200;
      return { ...summaryOf(times), failures, sent, isStreaming: isStillStreaming };
    },
  };
}
