import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../dialect.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('seal_check')
    .addColumn('sealed', 'text', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('subjects')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('contact_sealed', 'text')
    .addColumn('verified', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('sessions')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('subject_id', 'text', (c) => c.notNull().references('subjects.id').onDelete('cascade'))
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('seen_at', 'bigint')
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('tickets')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('facts_sealed', 'text', (c) => c.notNull())
    .addColumn('agent_count', 'integer', (c) => c.notNull())
    .addColumn('closed', 'integer', (c) => c.notNull())
    .addColumn('read_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createTable('grants')
    .addColumn('subject_id', 'text', (c) => c.notNull().references('subjects.id').onDelete('cascade'))
    .addColumn('ticket_id', 'text', (c) => c.notNull().references('tickets.id'))
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('read_count', 'integer', (c) => c.notNull().defaultTo(0))
    .addPrimaryKeyConstraint('grants_pk', ['subject_id', 'ticket_id'])
    .execute();
  await db.schema.createIndex('grants_by_ticket').on('grants').column('ticket_id').execute();
  await db.schema
    .createTable('operations')
    .addColumn('seq', isPostgres(db) ? 'bigserial' : 'integer', (c) =>
      isPostgres(db) ? c.primaryKey() : c.primaryKey().autoIncrement(),
    )
    .addColumn('id', 'text', (c) => c.notNull().unique())
    .addColumn('subject_id', 'text', (c) => c.notNull().references('subjects.id'))
    .addColumn('session_id', 'text', (c) => c.notNull())
    .addColumn('key', 'text', (c) => c.notNull().unique())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('fingerprint', 'text', (c) => c.notNull())
    .addColumn('ticket_id', 'text')
    .addColumn('payload_sealed', 'text')
    .addColumn('ref', 'text', (c) => c.notNull().unique())
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('error', 'text')
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('due_at', 'bigint')
    .addColumn('started_at', 'bigint')
    .addColumn('seen_ids', 'text')
    .addColumn('upstream_id', 'text')
    .addColumn('finished_at', 'bigint')
    .addUniqueConstraint('operations_upstream', ['kind', 'ticket_id', 'upstream_id'])
    .execute();
  await db.schema.createIndex('operations_by_subject').on('operations').column('subject_id').execute();
  await db.schema.createIndex('operations_by_ticket').on('operations').column('ticket_id').execute();
  await db.schema
    .createIndex('operations_due')
    .on('operations')
    .column('due_at')
    .where(sql.ref('due_at'), 'is not', null)
    .execute();
}
