import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  const operations = db.schema.alterTable('operations');
  await operations.addColumn('fence', 'integer', (c) => c.notNull().defaultTo(0)).execute();
  await operations.addColumn('lease_until', 'bigint').execute();
  await operations.addColumn('started_there', 'bigint').execute();
  await operations.addColumn('opened_by', 'text').execute();
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
  await db.schema.createIndex('operations_held').on('operations').column('opened_by').execute();
}
