import Database from 'better-sqlite3';
import { Kysely, sql, SqliteDialect } from 'kysely';
import { isPostgres } from '../store/dialect.ts';
import type { Store } from '../store/open.ts';
import { prepareOnce } from '../store/sqlite/prepare-once.ts';
import { prepare } from '../store/statements/prepared.ts';

/** A count that expires at `expire`. Times are Unix milliseconds. */
export interface StoredCount {
  points: number;
  expire: number;
}

/** Stores the counts of long windows by key. */
export interface CounterStore {
  /**
   * Adds to these counts, each key once, in one statement. An expired count starts again at zero, with its own
   * `expire`. Returns the resulting counts.
   */
  add(changes: ReadonlyMap<string, StoredCount>): Promise<ReadonlyMap<string, StoredCount>>;
  /** The counts of this list that have not expired. */
  get(keys: readonly string[]): Promise<ReadonlyMap<string, StoredCount>>;
  /** Limits the end of all counts whose key has this prefix. */
  shorten(prefix: string, latest: number): Promise<void>;
  removeExpired(before: number): Promise<void>;
  close(): void;
}

// oxlint-disable-next-line typescript/consistent-type-definitions -- an interface has no index signature
type CounterTables = { limits: { key: string } & StoredCount };

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

const byKey = (rows: readonly CounterTables['limits'][]) =>
  new Map(rows.map(({ key, points, expire }) => [key, { points, expire }]));

/** The counts of a JSON array, as rows. */
const rowsOf = (db: Kysely<CounterTables>, json: string) =>
  isPostgres(db)
    ? sql<CounterTables['limits']>`
        select * from json_to_recordset(cast(${json} as json)) as given(key text, points integer, expire bigint)`
    : sql<CounterTables['limits']>`
        select value ->> 'key', value ->> 'points', value ->> 'expire' from json_each(${json}) where true`;

function countersIn(db: Kysely<CounterTables>): Omit<CounterStore, 'close'> {
  const adding = prepare(({ json, at }: { json: string; at: number }) =>
    db
      .insertInto('limits')
      .columns(['key', 'points', 'expire'])
      .expression(rowsOf(db, json))
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
      .returning(['key', 'points', 'expire']),
  );

  return {
    async add(changes) {
      // In a fixed order, so that two instances that change the same counts do not deadlock.
      const rows = Array.from(changes, ([key, change]) => ({ key, ...change })).toSorted((a, b) =>
        a.key < b.key ? -1 : 1,
      );
      const query = adding.of({ json: JSON.stringify(rows), at: Date.now() });
      return byKey((await db.executeQuery(query)).rows);
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
  };
}

/**
 * A file for the instances of one machine, or null for memory.
 * @throws when the file cannot be opened
 */
export function openCounterFile(file: string | null): CounterStore {
  const database = openFile(file ?? ':memory:');
  const close = () => void database.close();
  const db = new Kysely<CounterTables>({
    dialect: new SqliteDialect({ database: { prepare: prepareOnce(database), close } }),
  });
  return { ...countersIn(db), close };
}

/** A table of the store, for the instances on all machines. */
export const counterTable = (store: Store): CounterStore => ({
  ...countersIn(store.withTables<CounterTables>()),
  close() {},
});
