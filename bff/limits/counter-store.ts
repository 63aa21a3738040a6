import Database from 'better-sqlite3';
import { Kysely, sql, SqliteDialect } from 'kysely';
import type { Store } from '../store/open.ts';

/** A count that ends at `expire`. Times are Unix milliseconds. */
export interface StoredCount {
  points: number;
  expire: number;
}

/** Where the counts of long windows are kept, each by its key. */
export interface CounterStore {
  /**
   * Adds to these counts, each key once, in one statement. A count that is over begins anew, with its own `expire`.
   * Returns what they are now.
   */
  add(changes: ReadonlyMap<string, StoredCount>): Promise<ReadonlyMap<string, StoredCount>>;
  /** Those of these counts that are not over. */
  get(keys: readonly string[]): Promise<ReadonlyMap<string, StoredCount>>;
  /** No count whose key begins like this lasts longer than that. */
  shorten(prefix: string, latest: number): Promise<void>;
  removeExpired(before: number): Promise<void>;
  close(): void;
}

// oxlint-disable-next-line typescript/consistent-type-definitions -- an interface has no index signature
type CounterTables = { limits: { key: string } & StoredCount };

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

const byKey = (rows: readonly CounterTables['limits'][]) =>
  new Map(rows.map(({ key, points, expire }) => [key, { points, expire }]));

const countersIn = (db: Kysely<CounterTables>): Omit<CounterStore, 'close'> => ({
  async add(changes) {
    const at = Date.now();
    // In one order, so that two instances that change the same counts do not wait for each other.
    const rows = Array.from(changes, ([key, change]) => ({ key, ...change })).toSorted((a, b) =>
      a.key < b.key ? -1 : 1,
    );
    const counted = await db
      .insertInto('limits')
      .values(rows)
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet(({ case: when, eb, ref }) => ({
          points: when()
            .when('limits.expire', '>', at)
            .then(eb('limits.points', '+', ref('excluded.points')))
            .else(ref('excluded.points'))
            .end(),
          expire: when()
            .when('limits.expire', '>', at)
            .then(ref('limits.expire'))
            .else(ref('excluded.expire'))
            .end(),
        })),
      )
      .returning(['key', 'points', 'expire'])
      .execute();
    return byKey(counted);
  },

  async get(keys) {
    const found = await db
      .selectFrom('limits')
      .selectAll()
      .where('key', 'in', keys)
      .where('expire', '>', Date.now())
      .execute();
    return byKey(found);
  },

  async shorten(prefix, latest) {
    await db
      .updateTable('limits')
      .set({ expire: latest })
      .where(sql`substr(key, 1, ${sql.lit(prefix.length)})`, '=', prefix)
      .where('expire', '>', latest)
      .execute();
  },

  async removeExpired(before) {
    await db.deleteFrom('limits').where('expire', '<', before).execute();
  },
});

/**
 * A file for the instances of one machine; null: in memory.
 * @throws when the file cannot be opened
 */
export function openCounterFile(file: string | null): CounterStore {
  const database = openFile(file ?? ':memory:');
  const db = new Kysely<CounterTables>({ dialect: new SqliteDialect({ database }) });
  return { ...countersIn(db), close: () => void database.close() };
}

/** A table of the store, for the instances on all machines. */
export const counterTable = (store: Store): CounterStore => ({
  ...countersIn(store.withTables<CounterTables>()),
  close() {},
});
