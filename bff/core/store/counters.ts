import Database from 'better-sqlite3';
import { CompiledQuery, Kysely, sql, SqliteDialect } from 'kysely';
import {
  type IRateLimiterOptions,
  type RateLimiterAbstract,
  RateLimiterPostgres,
  RateLimiterSQLite,
} from 'rate-limiter-flexible';
import type { Store } from './open.ts';
import { isPostgres } from './dialect.ts';

// oxlint-disable-next-line typescript/consistent-type-definitions -- an interface has no index signature
type CounterTables = { limits: { key: string; points: number; expire: number } };

/** Where the counts of long windows are: by key, with the end of the window in Unix milliseconds. */
export interface CounterStore {
  limiter: (options: IRateLimiterOptions) => RateLimiterAbstract;
  /** Limits the end of all counts whose key has this prefix. */
  shorten(prefix: string, latest: number): Promise<void>;
  removeExpired(before: number): Promise<void>;
  close(): void;
}

/** The library has created the table, or a migration has. */
const table = { tableName: 'limits', tableCreated: true };

const maintenanceOf = (db: Kysely<CounterTables>) => ({
  async shorten(prefix: string, latest: number): Promise<void> {
    await db
      .updateTable('limits')
      .set({ expire: latest })
      .where(sql`substr(key, 1, ${sql.lit(prefix.length)})`, '=', prefix)
      .where('expire', '>', latest)
      .execute();
  },
  async removeExpired(before: number): Promise<void> {
    await db.deleteFrom('limits').where('expire', '<', before).execute();
  },
});

/** Longer while opening, because no requests are served yet. */
const openingBusyMs = 500;
/**
 * Short, because the driver blocks the process while it waits. Counts that find the file locked are kept in memory.
 */
const busyMs = 5;

function openFile(file: string) {
  try {
    const db = new Database(file, { timeout: openingBusyMs });
    db.pragma('journal_mode = WAL');
    // A power cut may lose the last counts, and nothing else.
    db.pragma('synchronous = NORMAL');
    db.exec(
      'CREATE TABLE IF NOT EXISTS limits (key TEXT PRIMARY KEY, points INTEGER NOT NULL, expire INTEGER)',
    );
    db.pragma(`busy_timeout = ${busyMs}`);
    return db;
  } catch (cause) {
    const { message } = cause as Error;
    throw new Error(`cannot open ${file}: ${message} (it holds counters only, and may be deleted)`, {
      cause,
    });
  }
}

/**
 * A file for the processes of one machine, or null for memory.
 * @throws when the file cannot be opened
 */
export function openCounterFile(file: string | null): CounterStore {
  const storeClient = openFile(file ?? ':memory:');
  return {
    ...maintenanceOf(new Kysely({ dialect: new SqliteDialect({ database: storeClient }) })),
    limiter: (options) =>
      new RateLimiterSQLite({ ...options, ...table, storeClient, storeType: 'better-sqlite3' }),
    close: () => void storeClient.close(),
  };
}

/** A table of the store, for the instances on all machines. */
function counterTable(store: Store): CounterStore {
  const storeClient = {
    query: ({ text, values }: { text: string; values: unknown[] }) =>
      store.executeQuery(CompiledQuery.raw(text, values)),
  };
  return {
    ...maintenanceOf(store.withTables<CounterTables>()),
    limiter: (options) => new RateLimiterPostgres({ ...options, ...table, storeClient, storeType: 'pool' }),
    close() {},
  };
}

/** @param file where SQLite keeps the counts, beside the store; null: in memory */
export const openCounters = (store: Store, file: string | null): CounterStore =>
  isPostgres(store) ? counterTable(store) : openCounterFile(file);
