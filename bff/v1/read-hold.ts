import { waitOf } from './failure.ts';

const longestMs = 3_600_000;

/**
 * Until when the service wants no reads: as the `Retry-After` of a 429 or 503 said, for an hour at most. A 429 without
 * one means a second, a 503 without one nothing. Times in milliseconds, by `elapsed`.
 */
export function createReadHold(elapsed: () => number) {
  let until = -Infinity;
  return {
    /** @param at Unix milliseconds; a `Retry-After` with a date is relative to it */
    note(status: number, retryAfter: string, at: number): void {
      if (status !== 429 && !(status === 503 && retryAfter !== '')) return;
      until = Math.max(until, elapsed() + Math.min(waitOf(retryAfter, at), longestMs));
    },
    /** Zero when reads are welcome. */
    leftMs: (): number => Math.max(0, until - elapsed()),
  };
}
