import Database from 'better-sqlite3';
import { CompiledQuery, sql } from 'kysely';
import {
  type IRateLimiterOptions,
  RateLimiterPostgres,
  RateLimiterSQLite,
  type RateLimiterStoreAbstract,
} from 'rate-limiter-flexible';
import type { Store } from '../store/open.ts';

/** Where the counts of long windows are kept. Times are Unix milliseconds. */
export interface CounterStore {
  limiter(options: IRateLimiterOptions): RateLimiterStoreAbstract;
  /** No count whose key begins like this lasts longer than that. */
  shorten(prefix: string, latest: number): Promise<void>;
  removeExpired(before: number): Promise<void>;
  close(): void;
}

/** The same for the file and for the table of a server. */
const table = 'limits';
const common = { tableName: table, tableCreated: true, clearExpiredByTimeout: false };

/** Longer while opening, since no requests are served yet. */
const openingBusyMs = 500;
/** The driver blocks the process while it waits; what finds the file locked is counted in memory. */
const busyMs = 5;

function openFile(file: string) {
  try {
    const db = new Database(file, { timeout: openingBusyMs });
    db.pragma('journal_mode = WAL');
    // A power cut may forget the last counts, and nothing else.
    db.pragma('synchronous = NORMAL');
    db.exec(
      `CREATE TABLE IF NOT EXISTS ${table} (key TEXT PRIMARY KEY, points INTEGER NOT NULL, expire INTEGER)`,
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
 * A file for the instances of one machine; null: in memory.
 * @throws when the file cannot be opened
 */
export function openCounterFile(file: string | null): CounterStore {
  const db = openFile(file ?? ':memory:');
  return {
    limiter: (options) =>
      new RateLimiterSQLite({ ...options, ...common, storeClient: db, storeType: 'better-sqlite3' }),
    async shorten(prefix, latest) {
      db.prepare(`UPDATE ${table} SET expire = ? WHERE substr(key, 1, ?) = ? AND expire > ?`).run(
        latest,
        prefix.length,
        prefix,
        latest,
      );
    },
    async removeExpired(before) {
      db.prepare(`DELETE FROM ${table} WHERE expire < ?`).run(before);
    },
    close: () => void db.close(),
  };
}

/** What the library asks of a client of PostgreSQL. */
const clientOf = (store: Store) => ({
  async query({ text, values }: { text: string; values: unknown[] }) {
    const { rows } = await store.executeQuery(CompiledQuery.raw(text, values));
    return { rows, rowCount: rows.length };
  },
});

/** A table of the store, for the instances on all machines. */
export const counterTable = (store: Store): CounterStore => ({
  limiter: (options) =>
    new RateLimiterPostgres({ ...options, ...common, storeClient: clientOf(store), storeType: 'client' }),
  async shorten(prefix, latest) {
    await sql`UPDATE limits SET expire = ${latest} WHERE starts_with(key, ${prefix}) AND expire > ${latest}`.execute(
      store,
    );
  },
  async removeExpired(before) {
    await sql`DELETE FROM limits WHERE expire < ${before}`.execute(store);
  },
  close() {},
});
