/** In milliseconds, like all pauses here. */
export const firstPauseMs = 1_000;
const longestPauseMs = 60_000;

/** The pause that follows one of `pauseMs`. */
export const nextPauseMs = (pauseMs: number): number => Math.min(pauseMs * 2, longestPauseMs);

/**
 * Operations that failed with an unexpected error here, such as a full disk. They are tried again after a pause that
 * doubles each time. Times of the monotonic clock, in milliseconds.
 */
export function createPostponed(elapsed: () => number) {
  const pauses = new Map<string, { untilMs: number; pauseMs: number }>();

  return {
    get size() {
      return pauses.size;
    },
    has: (id: string): boolean => pauses.has(id),
    add(id: string): void {
      const before = pauses.get(id);
      const pauseMs = before ? nextPauseMs(before.pauseMs) : firstPauseMs;
      pauses.set(id, { untilMs: elapsed() + pauseMs, pauseMs });
    },
    delete: (id: string): boolean => pauses.delete(id),
    isPaused: (id: string, at: number): boolean => (pauses.get(id)?.untilMs ?? at) > at,
    /** When their pauses end. */
    ends: (): number[] => [...pauses.values()].map(({ untilMs }) => untilMs),
    /** Forgets operations whose retry in this process is overdue: another process must have finished them. */
    forgetOld(): void {
      for (const [id, { untilMs }] of pauses) if (untilMs < elapsed() - longestPauseMs) pauses.delete(id);
    },
  };
}

export type Postponed = ReturnType<typeof createPostponed>;
