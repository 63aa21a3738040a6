import type { Kysely } from 'kysely';

/** Tickets that were opened elsewhere, by what the service's list and one read of each show. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('listed_tickets')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('address_hash', 'text')
    .addColumn('found_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('listed_tickets_by_address_hash')
    .on('listed_tickets')
    .column('address_hash')
    .where('address_hash', 'is not', null)
    .execute();
}
