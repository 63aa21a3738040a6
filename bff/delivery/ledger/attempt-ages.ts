import { LRUCache } from 'lru-cache';
import type { OperationRow } from '../../store/schema.ts';

const maxKept = 100_000;

/**
 * The minimum age of the latest attempt of a send, by monotonic clocks. The row keeps it across restarts. Time in
 * which no process ran is not counted.
 */
export function createAttemptAges(elapsed: () => number) {
  /** When this process first saw the attempt, and how old it was then. */
  const seen = new LRUCache<string, { attempts: number; ageMs: number; atMs: number }>({
    // `max` would allocate memory for all entries at once.
    maxSize: maxKept,
    sizeCalculation: () => 1,
  });

  /** Whole milliseconds, measured from the first call for an attempt. */
  return function ageOf(row: OperationRow): number {
    const first = seen.get(row.id);
    if (first?.attempts === row.attempts)
      return Math.max(row.attempt_age_ms, Math.floor(first.ageMs + elapsed() - first.atMs));
    seen.set(row.id, { attempts: row.attempts, ageMs: row.attempt_age_ms, atMs: elapsed() });
    return row.attempt_age_ms;
  };
}
