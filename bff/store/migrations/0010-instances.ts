import { type Kysely, sql } from 'kysely';

/** What `begin` looks for before it changes a row: where two processes look at once, these refuse the second. */
export async function up(db: Kysely<unknown>): Promise<void> {
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
}
