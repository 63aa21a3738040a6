import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, type Transaction, CompiledQuery } from 'kysely';
import { isPostgres } from '../dialect.ts';
import { codeOf } from '../errors.ts';
import type { Store } from '../open.ts';
import type { Tables } from '../schema.ts';
import { named, nameOf } from './names.ts';

/* Runs several statements, all of them or none, and locks what they decide about. */

/**
 * PostgreSQL has aborted a transaction because of another one: they waited for each other, changed or inserted the same
 * row, or the other one was a migration.
 */
const endedByAnother = new Set(['40001', '40P01', '23505', '0A000']);
const maxAttempts = 5;
const maxPauseMs = 50;

/**
 * Runs `work` in one transaction: all of it or nothing. It runs again when PostgreSQL has aborted it in favour of
 * another transaction, so it must change only the store. On SQLite everything else on the store waits until it ends,
 * so `work` must wait for statements on `trx` only.
 */
export async function inTransaction<Result>(
  store: Store,
  work: (trx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await store.transaction().execute(work);
    } catch (error) {
      if (!endedByAnother.has(codeOf(error)) || attempt === maxAttempts) throw error;
      await sleep(Math.random() * maxPauseMs);
    }
  }
}

/**
 * Must run in a transaction. Waits until no other transaction has locked these tickets, and locks them until the
 * transaction ends. Callers that change the holders of a ticket must call it first. SQLite has one writer, so nothing
 * is needed there.
 */
export async function lockTickets(ticketIds: readonly string[], trx: Kysely<Tables>): Promise<void> {
  if (ticketIds.length === 0 || !isPostgres(trx)) return;
  // Always in the same order, so that two transactions that lock the same tickets do not deadlock.
  await trx
    .selectFrom('tickets')
    .select('id')
    .where('id', 'in', [...ticketIds])
    .orderBy('id')
    .forUpdate()
    .execute();
}

type RowsOf<Queries> = { [N in keyof Queries]: Queries[N] extends CompiledQuery<infer Row> ? Row[] : never };

type Joined = CompiledQuery<{ query: number; row: unknown }>;
/** By the names of their queries. */
const joined = new Map<string, Joined>();

/** One statement, whose rows name the query that returned them by its number. */
function asOne(queries: readonly CompiledQuery[]): Joined {
  let before = 0;
  const parts = queries.map(({ sql, parameters }, n) => {
    const text = sql.replaceAll(/\$(\d+)/g, (_, place: string) => `$${before + Number(place)}`);
    before += parameters.length;
    return `q${n} as (${text})`;
  });
  const rows = queries.map((_, n) => `select ${n} as query, to_json(q${n}) as row from q${n}`);
  return named(CompiledQuery.raw(`with ${parts.join(', ')} ${rows.join(' union all ')}`));
}

/**
 * Runs writing statements in one round trip to PostgreSQL, all of them or none. On PostgreSQL each statement sees the
 * store as it was before, so no statement may read rows that another one writes. Foreign keys may refer to such rows.
 * Each statement must be prepared, and have a `returning`.
 * @returns the rows of each statement
 */
export async function runInOneBatch<Queries extends readonly CompiledQuery[]>(
  db: Store,
  queries: readonly [...Queries],
): Promise<RowsOf<Queries>> {
  if (isPostgres(db)) {
    const names = queries.map(nameOf).join();
    const one = joined.get(names) ?? asOne(queries);
    joined.set(names, one);
    const parameters = queries.flatMap((query) => query.parameters);
    const { rows } = await db.executeQuery<{ query: number; row: unknown }>({ ...one, parameters });
    return queries.map((_, n) => rows.filter(({ query }) => query === n).map(({ row }) => row)) as never;
  }
  const inOrder = async (trx: Store) => {
    const all: unknown[][] = [];
    for (const query of queries) all.push((await trx.executeQuery(query)).rows);
    return all as never;
  };
  return db.isTransaction ? inOrder(db) : inTransaction(db, inOrder);
}
