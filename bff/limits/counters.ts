import Database from 'better-sqlite3';
import { RateLimiterMemory, RateLimiterRes, RateLimiterSQLite } from 'rate-limiter-flexible';
import type { Policy } from './policies.ts';

/** How often one key of one policy was counted in its window; null: not at all. */
export interface Counter {
  /** Counts one more, and says so even when it is one too many. */
  take(key: string): Promise<RateLimiterRes>;
  giveBack(key: string): Promise<RateLimiterRes>;
  look(key: string): Promise<RateLimiterRes | null>;
}

/** Windows at least as long as this outlive a restart. */
const durableSec = 3_600;
const pruneMs = 3_600_000;
const table = 'limits';

function openFile(file: string) {
  try {
    const db = new Database(file);
    db.pragma('journal_mode = WAL');
    // A power cut may forget the last counts, and nothing else.
    db.pragma('synchronous = NORMAL');
    // The driver blocks the process while it waits.
    db.pragma('busy_timeout = 500');
    db.exec(
      `CREATE TABLE IF NOT EXISTS ${table} (key TEXT PRIMARY KEY, points INTEGER NOT NULL, expire INTEGER)`,
    );
    return db;
  } catch (cause) {
    const { message } = cause as Error;
    throw new Error(`cannot open ${file}: ${message} (it holds counters only, and may be deleted)`, {
      cause,
    });
  }
}

/**
 * Counters in `file` (null: in memory) where the window is long, in memory where it is short, and in memory for as
 * long as the file cannot be written, which `onError` hears of. Time is the system's: that of the file can be set.
 * @throws when the file cannot be opened
 */
export function openCounters(file: string | null, onError: (error: unknown) => void) {
  const db = openFile(file ?? ':memory:');

  /** Policies whose counts are in the file, with their windows. */
  const durable = new Map<string, number>();

  /** A count that would last longer than its window was begun before the clock was set back. */
  function shorten(name: string, windowSec: number): void {
    const latest = Date.now() + windowSec * 1_000;
    const prefix = `${name}:`;
    db.prepare(`UPDATE ${table} SET expire = ? WHERE substr(key, 1, ?) = ? AND expire > ?`).run(
      latest,
      prefix.length,
      prefix,
      latest,
    );
  }

  function attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      onError(error);
    }
  }
  const shortenAll = () =>
    attempt(() => {
      for (const [name, windowSec] of durable) shorten(name, windowSec);
    });
  const prune = () => attempt(() => void db.prepare(`DELETE FROM ${table} WHERE expire < ?`).run(Date.now()));
  prune();
  const pruning = setInterval(prune, pruneMs).unref();

  return {
    counter(name: string, { points, windowSec }: Policy): Counter {
      const options = { keyPrefix: name, points, duration: windowSec };
      const memory = new RateLimiterMemory(options);
      const filed = new RateLimiterSQLite({
        ...options,
        storeClient: db,
        storeType: 'better-sqlite3',
        tableName: table,
        tableCreated: true,
        clearExpiredByTimeout: false,
      });
      const usual = windowSec < durableSec ? memory : filed;
      if (usual === filed) durable.set(name, windowSec);
      /** The library's own insurance would say nothing of the failure. */
      async function insured<T>(work: (limiter: typeof memory | typeof filed) => Promise<T>): Promise<T> {
        try {
          return await work(usual);
        } catch (error) {
          if (error instanceof RateLimiterRes) throw error;
          onError(error);
          return work(memory);
        }
      }
      return {
        take: (key) =>
          insured((limiter) => limiter.consume(key)).catch((refusal: unknown) => {
            if (refusal instanceof RateLimiterRes) return refusal;
            throw refusal;
          }),
        giveBack: (key) => insured((limiter) => limiter.reward(key)),
        look: (key) => insured((limiter) => limiter.get(key)),
      };
    },
    /** For a clock that was set, or may have been while nobody ran: no count lasts longer than its window from now on. */
    shortenAll,
    close(): void {
      clearInterval(pruning);
      db.close();
    },
  };
}
