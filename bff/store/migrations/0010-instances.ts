import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../dialect.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  // Unique indexes for what `begin` checks before it changes a row. If two processes check at once, these refuse the
  // second.
  await db.schema
    .createIndex('operations_one_underway')
    .unique()
    .on('operations')
    .column('ticket_id')
    .where(sql.ref('state'), '=', 'sending')
    .execute();
  await db.schema
    .createIndex('operations_one_of_equals')
    .unique()
    .on('operations')
    .column('fingerprint')
    .where(sql.ref('state'), '=', 'sending')
    .where(sql.ref('with_ref'), '=', 0)
    .execute();
  // As `rate-limiter-flexible` has it. On SQLite the counters are in a file of their own.
  if (isPostgres(db))
    await db.schema
      .createTable('limits')
      .addColumn('key', 'text', (c) => c.primaryKey())
      .addColumn('points', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('expire', 'bigint')
      .execute();
}
