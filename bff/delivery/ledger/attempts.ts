import { LRUCache } from 'lru-cache';
import { failpoint } from '../../failpoint.ts';
import type { OperationRow } from '../../store/schema.ts';

/** What is recorded of an attempt before its first byte is sent. */
export interface Attempt {
  /** Ids of the messages that were in the ticket already. */
  seenIds: readonly string[];
  /** This moment by the service's clock; null when not known. */
  startedThere: number | null;
  /** Whether the text contains the ref. */
  hasRef: boolean;
}

/**
 * An operation that this process has leased for sending, and must send. `isProven`: its sender has proven the address
 * that it goes under. `leasedSince`: milliseconds of the monotonic clock.
 */
export type LeasedOperation = OperationRow & { isProven: boolean; leasedSince: number };

/** A row that was just written with an attempt. SQLite has no booleans. */
type AttemptedRow = OperationRow & { is_proven: unknown };

const maxKept = 100_000;

/** Describes the attempts to send, and knows their ages. `leaseMs`: as for the ledger. */
export function createAttempts({
  leaseMs,
  now,
  elapsed,
}: {
  leaseMs: number;
  now: () => number;
  elapsed: () => number;
}) {
  /** When this process first saw the attempt, and how old it was then. */
  const seen = new LRUCache<string, { attempts: number; ageMs: number; atMs: number }>({
    // `max` would allocate memory for all entries at once.
    maxSize: maxKept,
    sizeCalculation: () => 1,
  });

  /**
   * The minimum age of the latest attempt of a send, in whole milliseconds of monotonic clocks, from the first call
   * of this process for the attempt. The row keeps it across restarts. Time in which no process ran is not counted.
   */
  function ageMs(row: OperationRow): number {
    const first = seen.get(row.id);
    if (first?.attempts === row.attempts)
      return Math.max(row.attempt_age_ms, Math.floor(first.ageMs + elapsed() - first.atMs));
    seen.set(row.id, { attempts: row.attempts, ageMs: row.attempt_age_ms, atMs: elapsed() });
    return row.attempt_age_ms;
  }

  return {
    ageMs,

    /** The columns that the next attempt sets. `toLeased` must be called with the row once they are committed. */
    next({ kind, attempts }: Pick<OperationRow, 'kind' | 'attempts'>, attempt: Attempt) {
      const [at, leasedSince] = [now(), elapsed()];
      const columns = {
        attempts: attempts + 1,
        started_at: at,
        started_there: attempt.startedThere,
        attempt_age_ms: 0,
        seen_ids: JSON.stringify(attempt.seenIds),
        // Only tickets need it: equal messages are distinguished by their ticket and their order in it.
        with_ref: kind === 'ticket' ? Number(attempt.hasRef) : null,
        lease_until: at + leaseMs,
      };
      function toLeased(row: AttemptedRow): LeasedOperation {
        failpoint('sending');
        ageMs(row);
        // A copy of the row with more properties takes about twice as long.
        return Object.assign(row, { isProven: Boolean(row.is_proven), leasedSince });
      }
      return { columns, toLeased };
    },
  };
}
