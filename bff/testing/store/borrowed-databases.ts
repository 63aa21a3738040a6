import { Kysely } from 'kysely';
import type pg from 'pg';
import { measureStatements, type StatementMetrics, type Store } from '../../core/store/open.ts';
import { openPool, postgresDialect } from '../../core/store/postgres/connections.ts';
import type { Tables } from '../../core/store/schema.ts';

/**
 * Databases that no test uses now, with their connections. Emptying one is a hundred times faster than creating one.
 */
const free: pg.Pool[] = [];

/** Empties all tables; migrations leave no rows in them. Without checks of foreign keys the order does not matter. */
const emptying = `
  select 'set session_replication_role = replica' union all
  select format('delete from %I', tablename) from pg_tables
    where schemaname = 'public' and tablename not like 'kysely%' union all
  select format('select setval(%L, 1, false)', sequencename) from pg_sequences union all
  select 'reset session_replication_role'`;

async function giveBack(pool: pg.Pool): Promise<void> {
  // Unfinished work could write after the next test has begun.
  if (pool.idleCount < pool.totalCount) return pool.end();
  const { rows } = await pool.query<[string]>({ text: emptying, rowMode: 'array' });
  await pool.query(rows.join(';'));
  free.push(pool);
}

const takeDatabase = async (create: () => Promise<string>) =>
  free.pop() ??
  // No idle time-out, since it would end connections at once where a test lets its time pass.
  openPool(await create(), { idleTimeoutMillis: 0, allowExitOnIdle: true });

/**
 * A store on an empty database with all migrations. The database is borrowed at the first statement, and `destroy`
 * returns it for the next test.
 */
export function borrowDatabase(create: () => Promise<string>, metrics?: StatementMetrics): Store {
  let pool: Promise<pg.Pool> | undefined;
  async function take(): Promise<pg.Pool> {
    try {
      return await takeDatabase(create);
    } catch (error) {
      // The next statement tries again.
      pool = undefined;
      throw error;
    }
  }
  const dialect = postgresDialect({
    connect: async () => (await (pool ??= take())).connect(),
    end: async () => pool && giveBack(await pool),
  });
  return new Kysely<Tables>({ dialect, ...(metrics && { log: measureStatements(metrics) }) });
}
