import { type Kysely, sql } from 'kysely';

/** Indexes for the purge, so that no step of it reads a whole table. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('subjects')
    .addColumn('visited_at', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute();
  // The last use before this version is unknown. It counts as today.
  await sql`UPDATE subjects SET visited_at = ${Date.now()}`.execute(db);
  await db.schema.createIndex('subjects_by_visit').on('subjects').columns(['visited_at', 'id']).execute();
  await db.schema
    .createIndex('operations_with_text')
    .on('operations')
    .columns(['state', 'finished_at'])
    .where(sql.ref('payload_sealed'), 'is not', null)
    .execute();
  await db.schema
    .createIndex('operations_undecided')
    .on('operations')
    .column('started_at')
    .where(sql.ref('due_at'), 'is', null)
    .where(sql.ref('finished_at'), 'is', null)
    .execute();
  await db.schema
    .createIndex('sessions_by_last_use')
    .on('sessions')
    .expression(sql`(coalesce(seen_at, created_at) + idle_ms)`)
    .execute();
  for (const table of ['sessions', 'codes', 'handoffs', 'transfers', 'used_once'])
    await db.schema.createIndex(`${table}_by_end`).on(table).column('expires_at').execute();
}
