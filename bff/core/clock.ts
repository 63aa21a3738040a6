/** The two clocks of a process. */
export interface Clock {
  /** The wall clock: Unix milliseconds, whole. It can be set. For times that are stored, shown or sent. */
  now: () => number;
  /** The monotonic clock: milliseconds since some moment of this process. For ages, pauses and proofs. */
  elapsed: () => number;
}

export const systemClock: Clock = {
  now: () => Math.floor(Date.now()),
  elapsed: () => performance.now(),
};

/** A time as it is shown or sent: ISO 8601 UTC. */
export const isoTime = (ms: number) => new Date(ms).toISOString();

/** Smaller differences are drift, or a process that was delayed between two readings. */
const toleranceMs = 250;
const checkEveryMs = 500;

/**
 * Makes a function that returns by how many milliseconds the wall clock was set ahead since its last call; negative
 * when it was set back, 0 when it was not set. A computer that slept may look like a clock that was set ahead.
 */
export function createJumpDetector({ now, elapsed }: Clock): () => number {
  let offsetMs = now() - elapsed();
  return () => {
    const before = elapsed();
    const offset = now() - before;
    // The process was delayed between the two readings, so they cannot be compared. The next call compares again.
    if (elapsed() - before > toleranceMs / 2) return 0;
    const aheadMs = offset - offsetMs;
    offsetMs = offset;
    return Math.abs(aheadMs) > toleranceMs ? Math.round(aheadMs) : 0;
  };
}

/** Calls back within half a second after the wall clock was set. Returns the function that stops it. */
export function watchForJumps(clock: Clock, onJump: (aheadMs: number) => void): () => void {
  const jump = createJumpDetector(clock);
  const watching = setInterval(() => {
    const aheadMs = jump();
    if (aheadMs !== 0) onJump(aheadMs);
  }, checkEveryMs).unref();
  return () => clearInterval(watching);
}
