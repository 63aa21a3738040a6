import { type Expression, sql, type SqlBool } from 'kysely';
import { coreSchema } from '../migrations.ts';
import type { Store } from '../open.ts';

/** The tables of the core whose rows end at `expires_at`. */
type ExpiringTable = 'codes' | 'handoffs' | 'sessions' | 'transfers' | 'used_once';

/** Removes up to `limit` of the rows that are over, and returns how many. */
export async function removeSome(
  store: Store,
  table: ExpiringTable,
  isOver: Expression<SqlBool>,
  limit: number,
): Promise<number> {
  const key = sql.join(coreSchema.keys[table]!.map((column) => sql.ref(column)));
  const some = sql<SqlBool>`(${key}) in (select ${key} from ${sql.table(table)} where ${isOver} limit ${limit})`;
  const { numDeletedRows } = await store.deleteFrom(table).where(some).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/**
 * Removes up to `limit` rows whose time has passed, and returns how many.
 * @param now Unix milliseconds
 */
export const removeExpired = (store: Store, table: ExpiringTable, now: number, limit: number) =>
  removeSome(store, table, sql`expires_at <= ${now}`, limit);
