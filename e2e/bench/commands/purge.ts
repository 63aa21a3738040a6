import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { paths } from '../../../bff/contract/paths.ts';
import { buildIfNeeded } from '../../../scripts/build-if-needed.ts';
import { customerHeaders, openTickets } from '../load/bff-customer.ts';
import { startBuiltBff } from '../servers/built-bff.ts';
import { startSlimService } from '../servers/slim-service.ts';

const dayMs = 86_400_000;
const longAgo = Date.now() - 400 * dayMs;
/** Each adds ten rows: one customer with a session, a ticket and two sends, a refused text of another, and four marks. */
const customers = Number(process.argv[2] ?? 10_000);
const betweenMs = 2;
/** Of one more customer. */
const sendsOfOne = customers / 5;
const countEveryMs = 1_000;
/** As long as a sealed text of a few lines. */
const sealed = `v1.${'x'.repeat(900)}`;

type Bff = Awaited<ReturnType<typeof startBuiltBff>>;

/** Fills the store with rows that the next housekeeping removes or erases. */
function fill(dir: string): void {
  const db = new Database(join(dir, 'deskside.db'));
  db.pragma('foreign_keys = ON');
  const insert = (table: string, row: Record<string, unknown>) => {
    const names = Object.keys(row);
    db.prepare(
      `INSERT INTO ${table} (${names.join()}) VALUES (${names.map((name) => `@${name}`).join()})`,
    ).run(row);
  };
  const send = (subject: string, more: object) => ({
    id: randomUUID(),
    subject_id: subject,
    session_id: randomUUID(),
    key: randomUUID(),
    kind: 'ticket',
    fingerprint: randomUUID(),
    payload_sealed: sealed,
    ref: randomUUID(),
    state: 'done',
    attempts: 1,
    created_at: longAgo,
    started_at: longAgo,
    finished_at: longAgo,
    ...more,
  });
  const [kept, busy] = [randomUUID(), randomUUID()];
  db.transaction(() => {
    insert('subjects', { id: kept, verified: 0, created_at: longAgo, visited_at: Date.now() });
    insert('subjects', { id: busy, verified: 0, created_at: longAgo, visited_at: longAgo });
    for (let n = 0; n < sendsOfOne; n += 1) insert('operations', send(busy, {}));
    for (let n = 0; n < customers; n += 1) {
      const [subject, ticket] = [randomUUID(), randomUUID()];
      const times = { created_at: longAgo, visited_at: longAgo };
      insert('subjects', { id: subject, contact_sealed: sealed, verified: 0, ...times });
      insert('sessions', {
        id: randomUUID(),
        subject_id: subject,
        token_hash: randomUUID(),
        created_at: longAgo,
        seen_at: longAgo,
        idle_ms: 30 * dayMs,
        expires_at: longAgo + 90 * dayMs,
      });
      insert('tickets', { id: ticket, facts_sealed: sealed, agent_count: 0, closed: 0, read_at: longAgo });
      insert('grants', { subject_id: subject, ticket_id: ticket, created_at: longAgo });
      insert('operations', send(subject, { ticket_id: ticket, upstream_id: ticket }));
      insert('operations', send(kept, { state: 'rejected' }));
      for (let mark = 0; mark < 4; mark += 1)
        insert('used_once', { purpose: 'identity token', hash: randomUUID(), expires_at: longAgo });
    }
  })();
  db.close();
}

/** How many rows are left to remove or erase. */
function countLeft(db: Database.Database): number {
  const count = (sql: string) => (db.prepare(`SELECT count(*) AS n FROM ${sql}`).get() as { n: number }).n;
  return count('subjects') - 2 + count('used_once') + count(`operations WHERE payload_sealed = '${sealed}'`);
}

/** Asks for the session and the list, one after the other, while `isOn`; answers the waits, sorted. */
async function ask({ url }: Bff, cookie: string, isOn: () => boolean): Promise<number[]> {
  const waits: number[] = [];
  for (let n = 0; isOn(); n += 1) {
    const begun = performance.now();
    const response = await fetch(url + (n % 2 ? paths.tickets : paths.session), {
      headers: { ...customerHeaders, Cookie: cookie },
    });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`a request was answered ${response.status}`);
    waits.push(performance.now() - begun);
    await sleep(betweenMs);
  }
  return waits.toSorted((a, b) => a - b);
}

function print(what: string, waits: readonly number[]): void {
  const at = (share: number) =>
    waits[Math.min(waits.length - 1, Math.floor(waits.length * share))]!.toFixed(1).padStart(8);
  process.stdout.write(
    `${what.padEnd(14)}${String(waits.length).padStart(9)}${at(0.5)}${at(0.95)}${at(0.99)}${at(1)}\n`,
  );
}

/** Prints how long requests wait while a full store is purged, and after; it judges nothing. Argument: customers, about a tenth of the rows. */
async function main(): Promise<void> {
  await buildIfNeeded();
  const service = await startSlimService();
  const dir = await mkdtemp(join(tmpdir(), 'deskside-bench-'));
  let bff = await startBuiltBff(service.url, dir);
  try {
    const { cookie } = await openTickets(bff.url, 1);
    await bff.stop();
    fill(dir);
    bff = await startBuiltBff(service.url, dir);
    const db = new Database(join(dir, 'deskside.db'), { readonly: true });
    const begun = performance.now();
    // The first requests of a process are slow by themselves.
    for (let n = 0; n < 5; n += 1)
      await (await fetch(bff.url + paths.session, { headers: customerHeaders })).arrayBuffer();
    let countAt = begun + countEveryMs;
    let rowsLeft = countLeft(db);
    const during = await ask(bff, cookie, () => {
      // Between two requests: counting blocks this process.
      if (performance.now() > countAt) {
        rowsLeft = countLeft(db);
        countAt = performance.now() + countEveryMs;
      }
      return rowsLeft > 0;
    });
    db.close();
    const tookSec = ((performance.now() - begun) / 1_000).toFixed(0);
    process.stdout.write(
      `${customers * 10 + sendsOfOne} rows, purged in ${tookSec} s. Waits of requests in ms\n`,
    );
    process.stdout.write(`              requests     p50     p95     p99 longest\n`);
    print('while purged', during);
    // Takes the same number of waits, because the maximum grows with the number.
    let left = during.length;
    print('afterwards', await ask(bff, cookie, () => left-- > 0));
  } finally {
    await bff.stop();
    await service.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

await main();
