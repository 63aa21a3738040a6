import { waitOf } from './failure.ts';

const longestMs = 3_600_000;

/**
 * How long the service asks for no reads: the `Retry-After` of a 429 or 503, an hour at most. Without it, a 429 means
 * a second and a 503 means nothing. Times in milliseconds, by `elapsed`.
 */
export function createReadHold(elapsed: () => number) {
  let until = -Infinity;
  return {
    /** @param at Unix milliseconds; a `Retry-After` with a date is relative to it */
    note(status: number, retryAfter: string, at: number): void {
      if (status !== 429 && !(status === 503 && retryAfter !== '')) return;
      until = Math.max(until, elapsed() + Math.min(waitOf(retryAfter, at), longestMs));
    },
    /** Zero when reads are allowed. */
    leftMs: (): number => Math.max(0, until - elapsed()),
  };
}

export type ReadHold = ReturnType<typeof createReadHold>;
