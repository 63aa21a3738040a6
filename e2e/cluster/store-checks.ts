import type pg from 'pg';
import type { Exchange } from './customers.ts';
import type { Happened } from './events.ts';

/** After this part of a cut, everything that was in flight before it has arrived. */
const throughMs = 500;

/**
 * While no instance reaches the database, a new send is refused and nothing of it is recorded. Queries the database
 * directly, on a connection that is not cut.
 */
export function createAwayCheck(database: pg.Pool, happened: readonly Happened[]) {
  const known = new Set<string>();
  const faults: string[] = [];
  const checks: Promise<void>[] = [];
  let refused = 0;

  async function check({ key, status }: Exchange): Promise<void> {
    const { rowCount } = await database.query('select 1 from operations where key = $1', [key]);
    if (status === 503) refused += 1;
    if (status !== null && status < 400) faults.push(`${status} for a send while the database was away`);
    if (rowCount !== 0) faults.push(`${status} for a send that was recorded while the database was away`);
  }

  return {
    note(exchange: Exchange): void {
      const { method, key, askedAt } = exchange;
      if (method !== 'POST' || key === undefined) return;
      const isFirst = !known.has(key);
      known.add(key);
      const cut = happened.find(
        ({ kind, fromMs, toMs }) =>
          kind === 'database away from all' && toMs === Infinity && askedAt > fromMs + throughMs,
      );
      if (cut && isFirst)
        checks.push(
          check(exchange).catch((error: unknown) => void faults.push(`not checked: ${String(error)}`)),
        );
    },
    /** Faults, and how many sends were refused with 503 and not recorded. */
    async result(): Promise<{ faults: readonly string[]; refused: number }> {
      await Promise.all(checks);
      return { faults, refused };
    },
  };
}

const halves = {
  'sends without an end': `select count(*)::int as count from operations
    where state in ('accepted', 'sending', 'unknown') and due_at is not null or state = 'sending'`,
  'delivered tickets without a holder': `select count(*)::int as count from operations o
    where o.kind = 'ticket' and o.state = 'done'
    and not exists (select 1 from grants g where g.ticket_id = o.ticket_id)`,
  'delivered tickets without a record': `select count(*)::int as count from operations o
    where o.kind = 'ticket' and o.state = 'done'
    and not exists (select 1 from tickets t where t.id = o.ticket_id)`,
};

/** The incomplete records in the store at the end, one line each. */
export async function halfRecorded(database: pg.Pool): Promise<string[]> {
  const lines: string[] = [];
  for (const [what, query] of Object.entries(halves)) {
    const { rows } = await database.query<{ count: number }>(query);
    if (rows[0]!.count > 0) lines.push(`${rows[0]!.count} ${what}`);
  }
  return lines;
}
