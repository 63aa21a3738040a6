import Database from 'better-sqlite3';
import { Kysely, sql, SqliteDialect } from 'kysely';
import { type IRateLimiterOptions, type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { together } from '../together.ts';
import type { Store } from './open.ts';
import { isPostgres } from './dialect.ts';
import { openingHint } from './sqlite/open-file.ts';
import { inSql, prepare } from './statements/prepared.ts';

/* Counts of limits, in a SQLite file or a table of PostgreSQL. It knows no limit. */

// oxlint-disable-next-line typescript/consistent-type-definitions -- an interface has no index signature
type CounterTables = { limits: { key: string; points: number; expire: number } };

export type Limiter = Pick<RateLimiterAbstract, 'penalty' | 'get'>;

/** Where the counts of long windows are: by key, with the end of the window in Unix milliseconds. */
export interface CounterStore {
  limiter: (options: Pick<IRateLimiterOptions, 'keyPrefix' | 'duration'>) => Limiter;
  /** Limits the end of all counts whose key has this prefix. */
  shorten(prefix: string, latest: number): Promise<void>;
  removeExpired(before: number): Promise<void>;
  close(): void;
}

interface Added {
  key: string;
  points: number;
  /** The end of its window, if it begins now. */
  expire: number;
}

/** The same statement for any number of counts. `added`: a JSON array of `Added`. */
const adding = (db: Kysely<CounterTables>, { added, now }: { added: string; now: number }) => {
  const rows = isPostgres(db)
    ? // A power cut may lose the last counts, so nothing waits for the disk.
      sql`json_to_recordset(cast(${added} AS json)) AS added (key text, points integer, expire bigint),
        set_config('synchronous_commit', 'off', true)`
    : sql`(SELECT value ->> 'key' AS key, value ->> 'points' AS points, value ->> 'expire' AS expire
        FROM json_each(${added})) AS added`;
  return sql<CounterTables['limits']>`
    INSERT INTO limits (key, points, expire)
    SELECT key, sum(points), max(expire) FROM ${rows} WHERE true GROUP BY key ORDER BY key
    ON CONFLICT (key) DO UPDATE SET
      points = excluded.points + CASE WHEN limits.expire > ${now} THEN limits.points ELSE 0 END,
      expire = CASE WHEN limits.expire > ${now} THEN limits.expire ELSE excluded.expire END
    RETURNING key, points, expire`;
};

/**
 * Counts in the table `limits` of a database. `add` runs the statement `adding`. The additions of one turn of the event
 * loop are one statement.
 */
function createCounters(
  db: Kysely<CounterTables>,
  add: (values: { added: string; now: number }) => Promise<CounterTables['limits'][]>,
): Omit<CounterStore, 'close'> {
  /** Adds to each count, and returns what it is then. */
  async function addAll(all: readonly Added[]): Promise<RateLimiterRes[]> {
    const now = Date.now();
    const rows = await add({ added: JSON.stringify(all), now });
    const after = new Map(rows.map((row) => [row.key, row]));
    // Each one sees the count without the points that were added to its key after it.
    return all
      .toReversed()
      .map(({ key, points }) => {
        const count = after.get(key)!;
        const seen = new RateLimiterRes(0, Math.max(0, count.expire - now), count.points);
        count.points -= points;
        return seen;
      })
      .toReversed();
  }
  const addOne = together(addAll);

  return {
    limiter: ({ keyPrefix, duration }) => ({
      penalty: (key, points = 1) =>
        addOne({ key: `${keyPrefix}:${key}`, points, expire: Date.now() + duration * 1_000 }),
      async get(key) {
        const count = await db
          .selectFrom('limits')
          .selectAll()
          .where('key', '=', `${keyPrefix}:${key}`)
          .where('expire', '>', Date.now())
          .executeTakeFirst();
        return count ? new RateLimiterRes(0, count.expire - Date.now(), count.points) : null;
      },
    }),
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
    const { code, message } = cause as Error & { code?: string };
    const hint = openingHint(code) || ' (it holds counters only, and may be deleted)';
    throw new Error(`cannot open ${file}: ${message}${hint}`, { cause });
  }
}

/**
 * A file for the processes of one machine, or null for memory.
 * @throws when the file cannot be opened
 */
export function openCounterFile(file: string | null): CounterStore {
  const database = openFile(file ?? ':memory:');
  const db = new Kysely<CounterTables>({ dialect: new SqliteDialect({ database }) });
  const { sql: text } = adding(db, { added: '', now: 0 }).compile(db);
  const statement = database.prepare<unknown[], CounterTables['limits']>(text);
  return {
    ...createCounters(db, async (values) => statement.all(values.added, values.now, values.now)),
    close: () => void database.close(),
  };
}

/** A table of the store, for the instances on all machines. */
function counterTable(store: Store): CounterStore {
  const db = store.withTables<CounterTables>();
  const add = prepare((values: { added: string; now: number }) => inSql(adding(db, values), store));
  return { ...createCounters(db, (values) => add(store, values)), close() {} };
}

/** @param file where SQLite keeps the counts, beside the store; null: in memory */
export const openCounters = (store: Store, file: string | null): CounterStore =>
  isPostgres(store) ? counterTable(store) : openCounterFile(file);
