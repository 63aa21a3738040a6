import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { gateHeader, idempotencyHeader, paths } from '../../../bff/contract/paths.ts';
import { buildIfNeeded } from '../../../scripts/build-if-needed.ts';
import { freePort, startNode, untilUp } from '../../../scripts/processes.ts';
import { startBuiltBff } from '../servers/built-bff.ts';
import { columns, measure, print } from '../load/measure-streams.ts';
import { forEach, openStream } from '../load/raw-streams.ts';
import { startSlimService } from '../servers/slim-service.ts';

/** Streams, each of another customer. All of them may read one ticket. */
const viewers = Number(process.argv[2] ?? 5_000);
const hookSecret = 'a-secret-of-the-bench';
const answer = 'We look into it. '.repeat(20);

type Service = Awaited<ReturnType<typeof startSlimService>>;
type Filled = Awaited<ReturnType<typeof fill>>;

const addressOf = (customer: number) => `10.9.${customer >> 8}.${customer & 255}`;

async function startBare() {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const running = startNode('e2e/bench/servers/bare-streams.ts', {
    PORT: String(port),
    NODE_OPTIONS: '--import=tsx --import=./e2e/bench/probes/collect.mjs',
  });
  await untilUp(`${url}/processor`, running);
  return { url, running };
}

const headers = {
  'Sec-Fetch-Site': 'same-origin',
  [gateHeader]: '1',
};

/** What Chromium sends with a stream, except the host, the address and the cookie. */
const streamHeaders = {
  ...headers,
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

const startBff = (serviceUrl: string, dir: string) =>
  startBuiltBff(serviceUrl, dir, {
    WEBHOOK_SECRET: hookSecret,
    NODE_OPTIONS: '--import=./e2e/bench/probes/collect.mjs',
  });

/** Cookies of customers who all may read the ticket `id`, and of one who does not have it on screen. */
async function fill(serviceUrl: string, dir: string): Promise<{ cookies: string[]; id: string }> {
  const bff = await startBff(serviceUrl, dir);
  const cookies: string[] = [];
  let shared = '';
  await forEach(viewers + 1, async (n) => {
    const { cookie, id } = await comeToBff(bff.url, n);
    cookies[n] = cookie;
    shared = id;
  });
  await bff.stop();
  change(
    dir,
    `INSERT INTO grants (subject_id, ticket_id, created_at)
     SELECT id, '${shared}', 0 FROM subjects WHERE true ON CONFLICT DO NOTHING`,
  );
  return { cookies, id: shared };
}

function change(dir: string, sql: string): void {
  const db = new Database(join(dir, 'deskside.db'));
  db.exec(sql);
  db.close();
}

async function measureBff(what: string, dir: string, service: Service, filled: Filled): Promise<void> {
  const bff = await startBff(service.url, dir);
  const { cookies, id } = filled;
  try {
    await measure(
      what,
      {
        running: bff,
        probe: {
          url: bff.url + paths.session,
          headers: { ...headers, 'X-Forwarded-For': addressOf(viewers), Cookie: cookies[viewers]! },
        },
        open: (n) =>
          openStream(bff.url, `${paths.events}?thread=${id}&after=`, {
            ...streamHeaders,
            'X-Forwarded-For': addressOf(n),
            Cookie: cookies[n]!,
          }),
        async say() {
          service.addAnswer(id, answer);
          await fetch(`${bff.url}/hooks/tickets/${hookSecret}`, {
            method: 'POST',
            headers: { 'X-Forwarded-For': '10.8.0.1' },
            body: JSON.stringify({ ticket_id: id }),
          });
        },
        async cpu() {
          const text = await (await fetch(`${bff.adminUrl}/metrics`)).text();
          return Number(/^process_cpu_seconds_total (\S+)/m.exec(text)![1]);
        },
      },
      viewers,
    );
  } finally {
    await bff.stop();
  }
}

async function measureBare(): Promise<void> {
  const { url, running } = await startBare();
  try {
    await measure(
      'bare node:http',
      {
        running,
        probe: { url: `${url}/processor`, headers: {} },
        open: () => openStream(url, '/events', streamHeaders),
        say: () =>
          fetch(`${url}/say`, {
            method: 'POST',
            body: `event: message\ndata: ${JSON.stringify({ message: { body: answer, id: randomUUID() } })}\n\n`,
          }),
        cpu: async () => Number(await (await fetch(`${url}/processor`)).text()),
      },
      viewers,
    );
  } finally {
    await running.stop();
  }
}

/**
 * Prints the cost of many streams of one ticket, beside a bare server, without a verdict. Argument: the number of
 * streams.
 */
async function main(): Promise<void> {
  await buildIfNeeded();
  const service = await startSlimService();
  const dir = await mkdtemp(join(tmpdir(), 'deskside-bench-'));
  try {
    const filled = await fill(service.url, dir);
    process.stdout.write(`One answer to ${viewers} streams, and what a stream holds in memory\n`);
    print(['', ...columns]);
    await measureBff('of as many customers', dir, service, filled);
    change(dir, 'UPDATE sessions SET subject_id = (SELECT min(subject_id) FROM sessions)');
    await measureBff('of one customer', dir, service, filled);
    await measureBare();
  } finally {
    await service.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

await main();
