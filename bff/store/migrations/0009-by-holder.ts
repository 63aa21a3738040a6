import { type Kysely, sql } from 'kysely';

/**
 * Indexes for reads of a list: what a customer sent to each of their tickets and when, and what is not delivered yet.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('operations_by_holder')
    .on('operations')
    .columns(['subject_id', 'ticket_id', 'kind', 'finished_at'])
    .execute();
  await db.schema.dropIndex('operations_by_subject').execute();
  await db.schema
    .createIndex('operations_underway')
    .on('operations')
    .columns(['subject_id', 'kind', 'seq'])
    .where(sql.ref('state'), '!=', 'done')
    .where(sql.ref('payload_sealed'), 'is not', null)
    .execute();
}
