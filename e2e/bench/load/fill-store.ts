import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { v7 } from 'uuid';

const dayMs = 86_400_000;
const sendsOfCustomer = 6;
/** A subject, a session, a ticket, a grant, and the sends. */
export const rowsOfCustomer = 4 + sendsOfCustomer;
const sealed = `v1.${'x'.repeat(400)}`;

type Row = Record<string, string | number>;

/** All rows of one recent customer. Housekeeping does not change them. */
function customerRows(): [table: string, row: Row][] {
  const [subject, session, ticket] = [v7(), v7(), randomUUID()];
  const now = Date.now();
  const sends = Array.from({ length: sendsOfCustomer }, (_, nth): [string, Row] => [
    'operations',
    {
      id: v7(),
      subject_id: subject,
      session_id: session,
      key: randomUUID(),
      kind: nth === 0 ? 'ticket' : 'message',
      fingerprint: randomUUID(),
      ref: randomUUID(),
      state: 'done',
      attempts: 1,
      created_at: now,
      started_at: now,
      finished_at: now,
      ticket_id: ticket,
      upstream_id: nth === 0 ? ticket : randomUUID(),
      address_hash: subject,
    },
  ]);
  return [
    ['subjects', { id: subject, contact_sealed: sealed, verified: 0, created_at: now, visited_at: now }],
    [
      'sessions',
      {
        id: session,
        subject_id: subject,
        token_hash: randomUUID(),
        created_at: now,
        seen_at: now,
        idle_ms: 30 * dayMs,
        expires_at: now + 90 * dayMs,
      },
    ],
    ['tickets', { id: ticket, facts_sealed: sealed, agent_count: 1, closed: 0, read_at: now }],
    ['grants', { subject_id: subject, ticket_id: ticket, created_at: now }],
    ...sends,
  ];
}

/** Adds this many customers to the store of a BFF that is not running. */
export function fillStore(dir: string, customers: number): void {
  const db = new Database(join(dir, 'deskside.db'));
  const statements = new Map<string, Database.Statement>();
  function insert(table: string, row: Row): void {
    const names = Object.keys(row);
    const sql = `INSERT INTO ${table} (${names.join()}) VALUES (${names.map((name) => `@${name}`).join()})`;
    const statement = statements.get(table) ?? db.prepare(sql);
    statements.set(table, statement);
    statement.run(row);
  }
  db.transaction(() => {
    for (let n = 0; n < customers; n += 1) for (const [table, row] of customerRows()) insert(table, row);
  })();
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}
