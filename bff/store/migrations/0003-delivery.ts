import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const operations = db.schema.alterTable('operations');
  await operations.addColumn('fence', 'integer', (c) => c.notNull().defaultTo(0)).execute();
  await operations.addColumn('lease_until', 'bigint').execute();
  await operations.addColumn('started_there', 'bigint').execute();
  await operations.addColumn('opened_by', 'text').execute();
  await operations.addColumn('with_ref', 'integer').execute();
  await operations.addColumn('ambiguous', 'integer', (c) => c.notNull().defaultTo(0)).execute();
  await db.schema
    .createIndex('operations_leased')
    .on('operations')
    .column('lease_until')
    .where(sql.ref('lease_until'), 'is not', null)
    .execute();
  await db.schema
    .createIndex('operations_by_state')
    .on('operations')
    .columns(['state', 'kind', 'due_at', 'ambiguous'])
    .execute();
  // Every look-up asks what precedes a send in its ticket. The index keeps this fast for tickets with many messages.
  await db.schema.dropIndex('operations_by_ticket').execute();
  await db.schema
    .createIndex('operations_by_ticket')
    .on('operations')
    .columns(['ticket_id', 'state', 'seq'])
    .execute();
  await db.schema
    .createIndex('operations_without_ref')
    .on('operations')
    .column('fingerprint')
    .where(sql.ref('with_ref'), '=', 0)
    .execute();
  await db.schema.createIndex('operations_held').on('operations').column('opened_by').execute();
}
