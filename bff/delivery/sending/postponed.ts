/** In milliseconds, like all pauses here. */
export const firstRestMs = 1_000;
const longestRestMs = 60_000;

/** The pause that follows one of `restMs`. */
export const restAfter = (restMs: number): number => Math.min(restMs * 2, longestRestMs);

/**
 * Operations that failed with an unexpected error here, such as a full disk. They are tried again after a pause that
 * doubles each time. Times of the monotonic clock, in milliseconds.
 */
export function createPostponed(elapsed: () => number) {
  const rests = new Map<string, { untilMs: number; restMs: number }>();

  return {
    get size() {
      return rests.size;
    },
    has: (id: string): boolean => rests.has(id),
    add(id: string): void {
      const before = rests.get(id);
      const restMs = before ? restAfter(before.restMs) : firstRestMs;
      rests.set(id, { untilMs: elapsed() + restMs, restMs });
    },
    delete: (id: string): boolean => rests.delete(id),
    isResting: (id: string, at: number): boolean => (rests.get(id)?.untilMs ?? at) > at,
    /** When their pauses end. */
    ends: (): number[] => [...rests.values()].map(({ untilMs }) => untilMs),
    /** Forgets operations that this process would have retried by now: another process must have finished them. */
    forgetOld(): void {
      for (const [id, { untilMs }] of rests) if (untilMs < elapsed() - longestRestMs) rests.delete(id);
    },
  };
}
