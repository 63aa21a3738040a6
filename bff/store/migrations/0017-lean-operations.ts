import { type Kysely, sql } from 'kysely';

/**
 * A send changes its row three times, and each change writes to every index that has one of its columns. Most rows are
 * done, and found by their holder, or by kind and ticket (`operations_upstream`).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const index of [
    'operations_by_state',
    'operations_by_ticket',
    'operations_by_address',
    'operations_held',
    'operations_with_text',
  ])
    await db.schema.dropIndex(index).execute();
  await db.schema
    .createIndex('operations_not_done')
    .on('operations')
    .columns(['ticket_id', 'state', 'seq'])
    .where(sql.ref('state'), '!=', 'done')
    .execute();
  for (const [index, column] of [
    ['operations_by_address', 'address_hash'],
    ['operations_held', 'opened_by'],
  ] as const)
    await db.schema
      .createIndex(index)
      .on('operations')
      .column(column)
      .where(sql.ref(column), 'is not', null)
      .execute();
  await db.schema
    .createIndex('operations_with_text')
    .on('operations')
    .column('finished_at')
    .where(sql.ref('finished_at'), 'is not', null)
    .where(sql.ref('payload_sealed'), 'is not', null)
    .execute();
}
