import type { Kysely } from 'kysely';

/** What a customer sent to each of their tickets, and when: asked for at each look at a list. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('operations_by_holder')
    .on('operations')
    .columns(['subject_id', 'ticket_id', 'kind', 'finished_at'])
    .execute();
  await db.schema.dropIndex('operations_by_subject').execute();
}
