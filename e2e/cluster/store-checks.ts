import type pg from 'pg';

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
