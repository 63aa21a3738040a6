import { setImmediate } from 'node:timers/promises';
import { sql, type SqlBool } from 'kysely';
import { isPostgres } from '../dialect.ts';
import type { Store } from '../open.ts';
import type { Tables } from '../schema.ts';

/** The size of a part, about a millisecond of work. */
const rowsOfPart = 2_000;
/** If the count of a single part takes longer, the table is large. */
const longMs = 20;
/** The result for a large table is reused for this many times the duration of the count. */
const useFactor = 50;

/** A range of rows, by their numbers: after `after`, up to `upTo`. */
export interface RowRange {
  after: number;
  upTo: number;
}

/** Whether a row is in the part. PostgreSQL counts in its own process, so there the whole table is the only part. */
export const isInPart = (db: Store, { after, upTo }: RowRange) =>
  isPostgres(db) ? sql<SqlBool>`true` : sql<SqlBool>`rowid > ${after} and rowid <= ${upTo}`;

async function lastRowOf(store: Store, table: keyof Tables): Promise<number> {
  const end = sql<number>`coalesce(max(rowid), 0)`.as('end');
  return (await store.selectFrom(table).select(end).executeTakeFirstOrThrow()).end;
}

/**
 * Counts rows of a whole table in small parts; other work of the process goes on in between. A large table is counted
 * rarely. The last result is used meanwhile, for minutes if there are millions of rows.
 * @param of counts one part
 * @param add adds two results
 */
export function countByParts<Result>(
  { store, table, elapsed = () => performance.now() }: CountOptions,
  of: (rows: RowRange) => Promise<Result>,
  add: (sum: Result, part: Result) => Result,
): () => Promise<Result> {
  let last: { result: Result; usableUntil: number } | undefined;
  let running: Promise<Result> | undefined;

  async function count(): Promise<Result> {
    const begun = elapsed();
    const lastRow = isPostgres(store) ? 0 : await lastRowOf(store, table);
    let result: Result = await of({ after: 0, upTo: rowsOfPart });
    for (let after = rowsOfPart; after < lastRow; after += rowsOfPart) {
      await setImmediate();
      result = add(result, await of({ after, upTo: after + rowsOfPart }));
    }
    const tookMs = elapsed() - begun;
    const usedMs = lastRow > rowsOfPart || tookMs > longMs ? tookMs * useFactor : 0;
    last = { result, usableUntil: elapsed() + usedMs };
    return result;
  }

  return async () => {
    if (last && elapsed() < last.usableUntil) return last.result;
    running ??= count().finally(() => (running = undefined));
    return running;
  };
}

interface CountOptions {
  store: Store;
  table: keyof Tables;
  /** Milliseconds of a monotonic clock. */
  elapsed?: () => number;
}
