import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { gateHeader, idempotencyHeader, paths } from '../../../bff/contract/paths.ts';
import { buildIfNeeded } from '../../../scripts/build-if-needed.ts';
import { freePort, type Running, startNode, untilUp } from '../../../scripts/processes.ts';
import { startBuiltBff } from '../servers/built-bff.ts';
import { startSlimService } from '../servers/slim-service.ts';

const dayMs = 86_400_000;
/** Of a customer: a subject, a session, a ticket, a grant, and six sends. */
const rowsOfOne = 10;
const asks = 200;
const scrapes = 5;
/** The first housekeeping begins with the process. */
const housekeepingMs = Number(process.env['HOUSEKEEPING_MS'] ?? 20_000);
const sealed = `v1.${'x'.repeat(400)}`;

type Bff = Awaited<ReturnType<typeof startBuiltBff>>;

const headers = { 'Sec-Fetch-Site': 'same-origin', 'X-Forwarded-For': '10.9.0.1', [gateHeader]: '1' };

/** A customer with a ticket; answers the cookie and the ticket's id. */
async function comeToBff({ url }: Bff): Promise<{ cookie: string; id: string }> {
  const opened = await fetch(url + paths.tickets, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json', [idempotencyHeader]: randomUUID() },
    body: JSON.stringify({
      subject: 'A question',
      description: 'What now?',
      customer_email: 'a@example.com',
    }),
  });
  const { data } = (await opened.json()) as { data: { id: string } };
  return { cookie: opened.headers.get('set-cookie')!.split(';')[0]!, id: data.id };
}

/** Adds customers of today, whom housekeeping leaves as they are. */
function fill(dir: string, customers: number): void {
  const db = new Database(join(dir, 'deskside.db'));
  const insert = (table: string, names: string[]) =>
    db.prepare(`INSERT INTO ${table} (${names.join()}) VALUES (${names.map((name) => `@${name}`).join()})`);
  const times = { created_at: Date.now(), visited_at: Date.now() };
  const subjects = insert('subjects', ['id', 'contact_sealed', 'verified', 'created_at', 'visited_at']);
  const sessions = insert('sessions', [
    'id',
    'subject_id',
    'token_hash',
    'created_at',
    'seen_at',
    'idle_ms',
    'expires_at',
  ]);
  const tickets = insert('tickets', ['id', 'facts_sealed', 'agent_count', 'closed', 'read_at']);
  const grants = insert('grants', ['subject_id', 'ticket_id', 'created_at']);
  const operations = insert('operations', [
    'id',
    'subject_id',
    'session_id',
    'key',
    'kind',
    'fingerprint',
    'ref',
    'state',
    'attempts',
    'created_at',
    'started_at',
    'finished_at',
    'ticket_id',
    'upstream_id',
    'address_hash',
  ]);
  db.transaction(() => {
    for (let n = 0; n < customers; n += 1) {
      const [subject, session, ticket] = [randomUUID(), randomUUID(), randomUUID()];
      subjects.run({ id: subject, contact_sealed: sealed, verified: 0, ...times });
      sessions.run({
        id: session,
        subject_id: subject,
        token_hash: randomUUID(),
        created_at: Date.now(),
        seen_at: Date.now(),
        idle_ms: 30 * dayMs,
        expires_at: Date.now() + 90 * dayMs,
      });
      tickets.run({ id: ticket, facts_sealed: sealed, agent_count: 1, closed: 0, read_at: Date.now() });
      grants.run({ subject_id: subject, ticket_id: ticket, created_at: Date.now() });
      for (let nth = 0; nth < 6; nth += 1)
        operations.run({
          id: randomUUID(),
          subject_id: subject,
          session_id: session,
          key: randomUUID(),
          kind: nth === 0 ? 'ticket' : 'message',
          fingerprint: randomUUID(),
          ref: randomUUID(),
          state: 'done',
          attempts: 1,
          created_at: Date.now(),
          started_at: Date.now(),
          finished_at: Date.now(),
          ticket_id: ticket,
          upstream_id: nth === 0 ? ticket : randomUUID(),
          address_hash: subject,
        });
    }
  })();
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}

/** Milliseconds of each of so many requests, one after the other, sorted. */
async function time(count: number, url: string, more: Record<string, string> = {}): Promise<number[]> {
  const took: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const begun = performance.now();
    const answer = await fetch(url, { headers: { ...headers, ...more } });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
    took.push(performance.now() - begun);
  }
  return took.toSorted((a, b) => a - b);
}

const median = (values: number[]) => values[Math.floor(values.length / 2)]!;

async function residentMb({ child }: Bff): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)![1]) / 1024;
}

/** The longest pause of the process since the last call, in milliseconds. */
async function longestPause({ child }: Pick<Running, 'child'>, file: string): Promise<number> {
  child.kill('SIGUSR2');
  await sleep(200);
  return Number((await readFile(file, 'utf8')).trim().split('\n').at(-1));
}

/** A bare node:http server that nobody asks: its pauses are those of the machine. */
async function startBare(pausesFile: string): Promise<Running> {
  const port = await freePort();
  const running = startNode('e2e/bench/servers/bare-streams.ts', {
    PORT: String(port),
    PAUSES_FILE: pausesFile,
    NODE_OPTIONS: '--import=tsx --import=./e2e/bench/probes/pauses.mjs',
  });
  await untilUp(`http://127.0.0.1:${port}/processor`, running);
  return running;
}

async function measure(rows: number): Promise<string[]> {
  const service = await startSlimService();
  const dir = await mkdtemp(join(tmpdir(), 'deskside-bench-'));
  const pauses = join(dir, 'pauses');
  const barePauses = join(dir, 'bare-pauses');
  const bare = await startBare(barePauses);
  let bff = await startBuiltBff(service.url, dir);
  try {
    const { cookie, id } = await comeToBff(bff);
    await bff.stop();
    fill(dir, rows / rowsOfOne);
    bff = await startBuiltBff(service.url, dir);
    await sleep(2_000);
    const idleMb = await residentMb(bff);
    await bff.stop();
    bff = await startBuiltBff(service.url, dir, {
      PAUSES_FILE: pauses,
      NODE_OPTIONS: '--import=./e2e/bench/probes/pauses.mjs',
    });
    const { readyMs } = bff;
    await Promise.all([longestPause(bff, pauses), longestPause(bare, barePauses)]);
    await sleep(housekeepingMs);
    const [housekeeping, meanwhile] = await Promise.all([
      longestPause(bff, pauses),
      longestPause(bare, barePauses),
    ]);
    const metrics = await time(scrapes, `${bff.adminUrl}/metrics`);
    const scraping = await longestPause(bff, pauses);
    const of = (path: string) => time(asks, bff.url + path, { Cookie: cookie });
    const looks = [
      median(await of(paths.session)),
      median(await of(paths.tickets)),
      median(await of(`${paths.tickets}/${id}`)),
    ];
    return [
      String(rows),
      `${readyMs.toFixed(0)} ms`,
      `${idleMb.toFixed(0)} MB`,
      ...[housekeeping, meanwhile, scraping, metrics.at(-1)!].map((ms) => `${ms.toFixed(0)} ms`),
      ...looks.map((ms) => `${ms.toFixed(2)} ms`),
    ];
  } finally {
    await Promise.all([bff.stop(), bare.stop()]);
    await service.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

/** Prints what stays the same, or does not, while the store grows; it judges nothing. Arguments: rows. */
async function main(): Promise<void> {
  await buildIfNeeded();
  const print = (cells: string[]) =>
    process.stdout.write(`${cells.map((cell) => cell.padStart(13)).join('')}\n`);
  print(['', '', '', 'longest', 'pause in', '', 'a scrape', 'median of', 'a request', '']);
  print([
    'rows',
    'ready',
    'resident',
    'housekeeping',
    'bare server',
    'scrapes',
    'at most',
    'session',
    'list',
    'conversation',
  ]);
  const sizes = process.argv.slice(2).map(Number);
  for (const rows of sizes.length > 0 ? sizes : [100, 1_000, 10_000, 100_000, 1_000_000])
    print(await measure(rows));
}

await main();
