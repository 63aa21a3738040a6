import { CompiledQuery } from 'kysely';
import { isPostgres } from '../dialect.ts';
import type { Store } from '../open.ts';
import { inTransaction } from './transaction.ts';

type RowsOf<Queries> = { [N in keyof Queries]: Queries[N] extends CompiledQuery<infer Row> ? Row[] : never };

/** One statement, whose rows name the query that returned them by its number. */
function asOne(queries: readonly CompiledQuery[]): CompiledQuery<{ query: number; row: unknown }> {
  const parameters: unknown[] = [];
  const parts = queries.map((query, n) => {
    const before = parameters.length;
    parameters.push(...query.parameters);
    const text = query.sql.replaceAll(/\$(\d+)/g, (_, place: string) => `$${before + Number(place)}`);
    return `q${n} as (${text})`;
  });
  const rows = queries.map((_, n) => `select ${n} as query, to_json(q${n}) as row from q${n}`);
  return CompiledQuery.raw(`with ${parts.join(', ')} ${rows.join(' union all ')}`, parameters);
}

/**
 * Runs writing statements in one round trip to PostgreSQL, all of them or none. On PostgreSQL each statement sees the
 * store as it was before, so no statement may read rows that another one writes. Foreign keys may refer to such rows.
 * Each statement must have a `returning`.
 * @returns the rows of each statement
 */
export async function runTogether<Queries extends readonly CompiledQuery[]>(
  db: Store,
  queries: readonly [...Queries],
): Promise<RowsOf<Queries>> {
  if (isPostgres(db)) {
    const { rows } = await db.executeQuery(asOne(queries));
    return queries.map((_, n) => rows.filter(({ query }) => query === n).map(({ row }) => row)) as never;
  }
  const inOrder = async (trx: Store) => {
    const all: unknown[][] = [];
    for (const query of queries) all.push((await trx.executeQuery(query)).rows);
    return all as never;
  };
  return db.isTransaction ? inOrder(db) : inTransaction(db, inOrder);
}
