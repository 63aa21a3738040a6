import type { Kysely } from 'kysely';
import { optional, partOf, required, type Schema } from '../../core/store/migrations.ts';

/** Nothing of it moves with a store: it is about the instances that run now. */
export const clusterSchema: Schema = { migrations: { 'extra-cluster-1': { up: createTables } }, keys: {} };

async function createTables(db: Kysely<unknown>): Promise<void> {
  // The instances, and the changes that they tell each other.
  await db.schema
    .createTable('instances')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .$call((table) => required(table, 'bigint', ['seen_at']))
    .execute();
  await db.schema
    .createTable('outbox_shards')
    .addColumn('shard', 'integer', (c) => c.primaryKey())
    .$call((table) => required(table, 'bigint', ['last_seq']))
    .execute();
  await db.schema
    .createTable('outbox')
    .$call((table) => required(table, 'integer', ['shard']))
    .$call((table) => required(table, 'bigint', ['seq']))
    .$call((table) => required(table, 'text', ['kind', 'instance']))
    .$call((table) => optional(table, 'text', ['subject_id', 'about']))
    .$call((table) => required(table, 'bigint', ['created_at']))
    .addPrimaryKeyConstraint('outbox_pk', ['shard', 'seq'])
    .execute();
  await db.schema.createIndex('outbox_by_age').on('outbox').column('created_at').execute();
  // Which instance reads which tickets, and whose viewers need them.
  await db.schema
    .createTable('watch_shards')
    .addColumn('shard', 'integer', (c) => c.primaryKey())
    .$call((table) => optional(table, 'text', ['holder']))
    .addColumn('fence', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('until', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable('interests')
    .$call((table) => required(table, 'text', ['ticket_id', 'seen']))
    .$call((table) => partOf(table, 'instance', 'instances.id'))
    .$call((table) => required(table, 'integer', ['shard']))
    .addColumn('on_screen', 'boolean', (c) => c.notNull())
    .$call((table) => required(table, 'bigint', ['changed_at']))
    .addPrimaryKeyConstraint('interests_pk', ['ticket_id', 'instance'])
    .execute();
  await db.schema.createIndex('interests_by_instance').on('interests').column('instance').execute();
  await db.schema
    .createIndex('interests_by_shard')
    .on('interests')
    .columns(['shard', 'changed_at'])
    .execute();
}
