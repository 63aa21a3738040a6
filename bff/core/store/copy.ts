import { sql } from 'kysely';
import type { Schema } from './migrations.ts';
import type { Store } from './open.ts';
import type { Tables } from './schema.ts';
import { inTransaction } from './statements/transaction.ts';

/** A statement of PostgreSQL has 65,535 values at most. */
const rowsAtOnce = 1_000;

/**
 * Copies all rows of an SQLite store to an empty PostgreSQL store, in one transaction. Returns the number of rows, by
 * table.
 * @throws when the target is not empty
 */
export function copyStore(
  source: Store,
  target: Store,
  { keys, large = [] }: Schema,
): Promise<Map<string, number>> {
  return inTransaction(target, async (trx) => {
    const copied = new Map<string, number>();
    if (await trx.selectFrom('seal_check').select('sealed').executeTakeFirst())
      throw new Error('there is a store on the server already');
    for (const [name, key] of Object.entries(keys)) {
      const table = name as keyof Tables;
      let count = 0;
      const limit = large.includes(name) ? 1 : rowsAtOnce;
      const page = () => pageOf(source, table, { key, offset: count, limit });
      for (let rows; (rows = await page()).length > 0; count += rows.length)
        await trx.insertInto(table).values(rows).execute();
      copied.set(name, count);
    }
    await sql`SELECT setval(pg_get_serial_sequence('operations', 'seq'), (SELECT coalesce(max(seq), 1) FROM operations))`.execute(
      trx,
    );
    return copied;
  });
}

const pageOf = (
  source: Store,
  table: keyof Tables,
  { key, offset, limit }: { key: string[]; offset: number; limit: number },
) =>
  source
    .selectFrom(table)
    .selectAll()
    .$call((query) => key.reduce((ordered, column) => ordered.orderBy(sql.ref(column)), query))
    .limit(limit)
    .offset(offset)
    .execute();
