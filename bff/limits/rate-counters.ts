import Database from 'better-sqlite3';
import { RateLimiterMemory, RateLimiterRes, RateLimiterSQLite } from 'rate-limiter-flexible';
import type { Seal } from '../store/seal.ts';
import type { Policy } from './policies.ts';

/** How often one key of one policy was counted in its window; null: not at all. */
export interface RateCounter {
  /** Counts one more, also above the limit. */
  take(key: string): Promise<RateLimiterRes>;
  giveBack(key: string): Promise<RateLimiterRes>;
  look(key: string): Promise<RateLimiterRes | null>;
}

/** Windows at least as long as this outlive a restart. */
const durableSec = 3_600;
const pruneMs = 3_600_000;
const table = 'limits';
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

type Change = (key: string) => Promise<RateLimiterRes>;

/** One too many is counted as well. */
const counted = (count: Promise<RateLimiterRes>) =>
  count.catch((refusal: unknown) => {
    if (refusal instanceof RateLimiterRes) return refusal;
    throw refusal;
  });

/** The same window, counted in two places. A count in memory may outlast it by a moment. */
function sum(count: RateLimiterRes, other: RateLimiterRes | null): RateLimiterRes {
  if (!other || other.msBeforeNext <= 0) return count;
  const points = count.consumedPoints + other.consumedPoints;
  return new RateLimiterRes(0, Math.max(count.msBeforeNext, other.msBeforeNext), points, false);
}

/**
 * Counters of the rate limits. They are in `file` (null: in memory) where the window is long, in memory where it is
 * short, and in memory for as long as the file cannot be written, which is reported to `onError`. Uses the system's
 * clock, which can be set for the file.
 * @throws when the file cannot be opened
 */
export function openRateCounters({
  file,
  seal,
  onError,
}: {
  file: string | null;
  seal: Pick<Seal, 'hash'>;
  onError: (error: unknown) => void;
}) {
  const db = openFile(file ?? ':memory:');
  const hashOf = (key: string) => seal.hash('limit', key);

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
    counter(name: string, { points, windowSec }: Policy): RateCounter {
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
      if (windowSec < durableSec)
        return {
          take: (key) => counted(memory.consume(key)),
          giveBack: (key) => memory.reward(key),
          look: (key) => memory.get(key),
        };
      durable.set(name, windowSec);
      /** What the file did not take is counted in memory, in addition to the count in the file. */
      async function change(inFile: Change, inMemory: Change, key: string): Promise<RateLimiterRes> {
        try {
          return sum(await inFile(key), await memory.get(key));
        } catch (error) {
          onError(error);
          return sum(await inMemory(key), await lookInFile(key));
        }
      }
      const lookInFile = (key: string) => filed.get(key).catch(() => null);
      return {
        take: (key) =>
          change(
            (each) => counted(filed.consume(each)),
            (each) => counted(memory.consume(each)),
            hashOf(key),
          ),
        giveBack: (key) =>
          change(
            (each) => filed.reward(each),
            (each) => memory.reward(each),
            hashOf(key),
          ),
        async look(key) {
          const hash = hashOf(key);
          const [inFile, inMemory] = [await lookInFile(hash), await memory.get(hash)];
          return inFile ? sum(inFile, inMemory) : inMemory;
        },
      };
    },
    /** After the clock was set, or may have been: no count lasts longer than its window from now on. */
    shortenAll,
    close(): void {
      clearInterval(pruning);
      db.close();
    },
  };
}
