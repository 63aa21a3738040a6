import type { Kysely } from 'kysely';
import { isPostgres } from '../dialect.ts';

/** Which instance reads which tickets, and whose viewers need them. On SQLite, all is in one process. */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!isPostgres(db)) return;
  await db.schema
    .createTable('watch_shards')
    .addColumn('shard', 'integer', (c) => c.primaryKey())
    .addColumn('holder', 'text')
    .addColumn('fence', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('until', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable('interests')
    .addColumn('ticket_id', 'text', (c) => c.notNull())
    .addColumn('instance', 'text', (c) => c.notNull().references('instances.id').onDelete('cascade'))
    .addColumn('shard', 'integer', (c) => c.notNull())
    .addColumn('on_screen', 'boolean', (c) => c.notNull())
    .addColumn('seen', 'text', (c) => c.notNull())
    .addColumn('changed_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('interests_pk', ['ticket_id', 'instance'])
    .execute();
  await db.schema.createIndex('interests_by_instance').on('interests').column('instance').execute();
  await db.schema
    .createIndex('interests_by_shard')
    .on('interests')
    .columns(['shard', 'changed_at'])
    .execute();
}
