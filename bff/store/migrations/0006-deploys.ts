import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('services')
    .addColumn('url', 'text', (c) => c.primaryKey())
    .addColumn('known_at', 'bigint', (c) => c.notNull())
    .execute();
}
