import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { databaseOf } from '../../../testing/store/test-store.ts';
import { schema } from '../../../extras/index.ts';
import { openStore, type Store } from '../open.ts';
import { nameOf } from '../statements/names.ts';
import { prepare } from '../statements/prepared.ts';
import { inTransaction } from '../statements/transaction.ts';

let url: string;
let store: Store;
beforeEach(async () => {
  url = await databaseOf(randomUUID());
  store = await openStore({ databaseUrl: url }, schema);
});
afterEach(() => store.destroy());

const services = (of: Store) => prepare(() => of.selectFrom('services').selectAll());

/** What the server keeps for a connection. One after the other, statements use the same one. */
async function kept(of: Store): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from pg_prepared_statements`.execute(of);
  return rows[0]!.count;
}

it('the server keeps the plan of a prepared query, but not behind a pooler, where it could be unknown', async () => {
  const pooled = await openStore({ databaseUrl: url, directUrl: `${url}?application_name=direct` }, schema);
  for (const of of [store, pooled]) await services(of)(of, {});
  expect([await kept(store), await kept(pooled)]).toEqual([1, 0]);
  await pooled.destroy();
});

it('the name of a prepared query is that of its text alone, so that no other process runs another query by it', async () => {
  const other = prepare(() => store.selectFrom('services').selectAll());
  const another = prepare(() => store.selectFrom('subjects').selectAll());
  const [first, second, third] = [services(store), other, another].map(({ of }) => nameOf(of({})));
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});

it('a query that was prepared before a newer build added a column still runs, in a transaction too', async () => {
  const read = services(store);
  const addColumn = (name: string) => sql`alter table services add ${sql.ref(name)} text`.execute(store);
  await read(store, {});
  await addColumn('one');
  expect(await read(store, {})).toEqual([]);
  await read(store, {});
  await addColumn('two');
  expect(await inTransaction(store, (trx) => read(trx, {}))).toEqual([]);
});
