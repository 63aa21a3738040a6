import type { Kysely } from 'kysely';

const thirtyDaysMs = 30 * 86_400_000;

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('subjects').addColumn('identity_hash', 'text').execute();
  await db.schema.alterTable('subjects').addColumn('address_hash', 'text').execute();
  await db.schema
    .createIndex('subjects_by_identity')
    .unique()
    .on('subjects')
    .column('identity_hash')
    .execute();
  await db.schema.createIndex('subjects_by_address').on('subjects').column('address_hash').execute();
  await db.schema
    .alterTable('sessions')
    .addColumn('idle_ms', 'bigint', (c) => c.notNull().defaultTo(thirtyDaysMs))
    .execute();
  await db.schema.createIndex('sessions_by_subject').on('sessions').column('subject_id').execute();
  await db.schema
    .alterTable('grants')
    .addColumn('trusted', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable('operations').addColumn('address_hash', 'text').execute();
  await db.schema
    .alterTable('operations')
    .addColumn('owned', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.createIndex('operations_by_address').on('operations').column('address_hash').execute();
  await db.schema
    .createTable('used_once')
    .addColumn('purpose', 'text', (c) => c.notNull())
    .addColumn('hash', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('used_once_pk', ['purpose', 'hash'])
    .execute();
  await db.schema
    .createTable('codes')
    .addColumn('session_id', 'text', (c) => c.primaryKey().references('sessions.id').onDelete('cascade'))
    .addColumn('email_sealed', 'text', (c) => c.notNull())
    .addColumn('code_hash', 'text', (c) => c.notNull())
    .addColumn('tries', 'integer', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('handoffs')
    .addColumn('session_id', 'text', (c) => c.primaryKey().references('sessions.id').onDelete('cascade'))
    .addColumn('secret_hash', 'text', (c) => c.notNull().unique())
    .addColumn('device_hash', 'text')
    .addColumn('number', 'text')
    .addColumn('confirmed', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute();
}
