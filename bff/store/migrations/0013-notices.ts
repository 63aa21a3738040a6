import type { Kysely } from 'kysely';

/** Mails about tickets: what is due for each ticket, and the addresses that get no mail. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('notices')
    .addColumn('ticket_id', 'text', (c) => c.notNull().references('tickets.id').onDelete('cascade'))
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('contact_sealed', 'text', (c) => c.notNull())
    .addColumn('address_hash', 'text', (c) => c.notNull())
    .addColumn('mailbox_hash', 'text', (c) => c.notNull())
    .addColumn('answers', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('mailed_answers', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('sending_answers', 'integer')
    .addColumn('waiting_since', 'bigint')
    .addColumn('due_at', 'bigint')
    .addColumn('mailed_at', 'bigint')
    .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('fence', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('lease_until', 'bigint')
    .addColumn('changed_at', 'bigint', (c) => c.notNull())
    .addColumn('look_at', 'bigint')
    .addColumn('look_until', 'bigint', (c) => c.notNull())
    .addColumn('listed_hash', 'text')
    .addPrimaryKeyConstraint('notices_pk', ['ticket_id', 'kind'])
    .execute();
  for (const column of ['due_at', 'look_at'])
    await db.schema
      .createIndex(`notices_by_${column}`)
      .on('notices')
      .column(column)
      .where(column, 'is not', null)
      .execute();
  for (const column of ['address_hash', 'mailbox_hash'])
    await db.schema.createIndex(`notices_by_${column}`).on('notices').column(column).execute();
  await db.schema
    .createTable('silent_addresses')
    .addColumn('address_hash', 'text', (c) => c.primaryKey())
    .addColumn('reason', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();
}
