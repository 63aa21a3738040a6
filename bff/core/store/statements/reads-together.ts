import type { CompiledQuery } from 'kysely';
import { isPostgres } from '../dialect.ts';
import type { Store } from '../open.ts';
import { named } from './names.ts';
import { prepare, type Query } from './prepared.ts';
import { shareStatements } from './shared.ts';

/** Runs the query for each entry of its parameters, which are arrays. `nth` of a row: for which entry, from 1. */
function forEach<Row>(query: CompiledQuery<Row>): CompiledQuery<Row & { nth: number }> {
  const arrays = query.parameters.map(
    (value, n) => `$${n + 1}::${typeof value === 'number' ? 'bigint' : 'text'}[]`,
  );
  const names = query.parameters.map((_, n) => `v${n + 1}`);
  const asked = `unnest(${arrays.join()}) with ordinality as asked(${names.join()}, nth)`;
  const found = query.sql.replaceAll(/\$(\d+)/g, 'asked.v$1');
  const sql = `select asked.nth, found.* from ${asked} cross join lateral (${found}) as found`;
  return named({ ...query, sql });
}

/**
 * Like `prepare`, for a query that reads and that many requests run. On PostgreSQL those of one turn of the event loop are
 * one statement: a statement takes longer than what it finds here. Its rows have one more column, `nth`.
 */
export function prepareRead<V extends Record<string, string | number>, Row>(
  build: (values: V) => Query<Row>,
) {
  const single = prepare(build);
  let all: CompiledQuery<Row & { nth: number }> | undefined;

  async function readAll(asked: { db: Store; values: V }[]): Promise<Row[][]> {
    const [{ db, values: first }] = asked as [{ db: Store; values: V }];
    if (asked.length === 1) return [await single(db, first)];
    all ??= forEach(single.of(first));
    const given = asked.map(({ values }) => single.of(values).parameters);
    const parameters = given[0]!.map((_, n) => given.map((each) => each[n]));
    const { rows } = await db.executeQuery<Row & { nth: number }>({ ...all, parameters });
    const found: Row[][] = asked.map(() => []);
    for (const row of rows) found[row.nth - 1]!.push(row);
    return found;
  }

  const read = shareStatements(readAll);
  return (db: Store, values: V): Promise<Row[]> =>
    db.isTransaction || !isPostgres(db) ? single(db, values) : read({ db, values });
}
