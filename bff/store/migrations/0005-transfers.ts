import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('transfers')
    .addColumn('token_hash', 'text', (c) => c.primaryKey())
    .addColumn('from_subject', 'text', (c) => c.notNull().references('subjects.id').onDelete('cascade'))
    .addColumn('from_session', 'text', (c) => c.notNull())
    .addColumn('to_subject', 'text', (c) => c.notNull().references('subjects.id').onDelete('cascade'))
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute();
  for (const column of ['from_subject', 'to_subject'])
    await db.schema.createIndex(`transfers_by_${column}`).on('transfers').column(column).execute();
}
