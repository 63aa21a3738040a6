import Database from 'better-sqlite3';
import { Kysely, sql, SqliteDialect } from 'kysely';
import {
  type IRateLimiterOptions,
  type RateLimiterAbstract,
  RateLimiterRes,
  RateLimiterSQLite,
} from 'rate-limiter-flexible';
import { together } from '../together.ts';
import type { Store } from './open.ts';
import { isPostgres } from './dialect.ts';
import { inSql, prepare } from './statements/prepared.ts';

// oxlint-disable-next-line typescript/consistent-type-definitions -- an interface has no index signature
type CounterTables = { limits: { key: string; points: number; expire: number } };

export type Limiter = Pick<RateLimiterAbstract, 'penalty' | 'get'>;

/** Where the counts of long windows are: by key, with the end of the window in Unix milliseconds. */
export interface CounterStore {
  limiter: (options: IRateLimiterOptions) => Limiter;
  /** Limits the end of all counts whose key has this prefix. */
  shorten(prefix: string, latest: number): Promise<void>;
  removeExpired(before: number): Promise<void>;
  close(): void;
}

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
      new RateLimiterSQLite({
        ...options,
        tableName: 'limits',
        tableCreated: true,
        storeClient,
        storeType: 'better-sqlite3',
      }),
    close: () => void storeClient.close(),
  };
}

interface Added {
  key: string;
  points: number;
  /** The end of its window, if it begins now. */
  expire: number;
}

/** A table of the store, for the instances on all machines. */
function counterTable(store: Store): CounterStore {
  const db = store.withTables<CounterTables>();

  /** A power cut may lose the last counts, so nothing waits for the disk. */
  const insert = prepare(({ added, now }: { added: string; now: number }) =>
    inSql(
      sql<CounterTables['limits']>`
        INSERT INTO limits (key, points, expire)
        SELECT key, sum(points), max(expire)
        FROM json_to_recordset(cast(${added} AS json)) AS added (key text, points integer, expire bigint),
          set_config('synchronous_commit', 'off', true)
        GROUP BY key ORDER BY key
        ON CONFLICT (key) DO UPDATE SET
          points = excluded.points + CASE WHEN limits.expire > ${now} THEN limits.points ELSE 0 END,
          expire = CASE WHEN limits.expire > ${now} THEN limits.expire ELSE excluded.expire END
        RETURNING key, points, expire`,
      store,
    ),
  );

  /** Adds to each count, and returns what it is then. */
  async function addAll(added: readonly Added[]): Promise<RateLimiterRes[]> {
    const now = Date.now();
    const rows = await insert(store, { added: JSON.stringify(added), now });
    const after = new Map(rows.map((row) => [row.key, row]));
    // The last one of a key sees all points, and each one before it those that it had added with the earlier ones.
    return added
      .toReversed()
      .map(({ key, points }) => {
        const count = after.get(key)!;
        const seen = new RateLimiterRes(0, Math.max(0, count.expire - now), count.points);
        count.points -= points;
        return seen;
      })
      .toReversed();
  }
  const add = together(addAll);

  return {
    ...maintenanceOf(db),
    limiter: ({ keyPrefix, duration }) => ({
      penalty: (key, points = 1) =>
        add({ key: `${keyPrefix}:${key}`, points, expire: Date.now() + duration * 1_000 }),
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
    close() {},
  };
}

/** @param file where SQLite keeps the counts, beside the store; null: in memory */
export const openCounters = (store: Store, file: string | null): CounterStore =>
  isPostgres(store) ? counterTable(store) : openCounterFile(file);
