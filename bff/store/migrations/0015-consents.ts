import type { Kysely } from 'kysely';

/** What customers have agreed to in the operator's form. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('consents')
    .addColumn('operation_id', 'text', (c) => c.primaryKey().references('operations.id').onDelete('cascade'))
    .addColumn('text_sha256', 'text', (c) => c.notNull())
    .addColumn('given_at', 'bigint', (c) => c.notNull())
    .execute();
}
