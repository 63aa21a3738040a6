import type { Kysely } from 'kysely';
import { isPostgres } from '../dialect.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('services')
    .addColumn('url', 'text', (c) => c.primaryKey())
    .addColumn('known_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('scripts')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('seen_at', 'bigint', (c) => c.notNull())
    .execute();
  // Apart, so that marking a script as seen does not write its bytes again.
  await db.schema
    .createTable('script_bodies')
    .addColumn('name', 'text', (c) => c.notNull().references('scripts.name').onDelete('cascade'))
    .addColumn('coding', 'text', (c) => c.notNull())
    .addColumn('body', isPostgres(db) ? 'bytea' : 'blob', (c) => c.notNull())
    .addPrimaryKeyConstraint('script_bodies_by_name', ['name', 'coding'])
    .execute();
}
