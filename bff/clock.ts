/** The two clocks of a process, which each part is given by name. */
export interface Clock {
  /** Unix milliseconds, whole. Anybody may set it: for what is stored, shown or told to others. */
  now: () => number;
  /** Milliseconds since some moment of this process. Nobody can set it: for ages, pauses and proofs. */
  elapsed: () => number;
}

export const systemClock: Clock = {
  now: () => Math.floor(Date.now()),
  elapsed: () => performance.now(),
};

/** Less is drift, or a process that was held up between two readings. */
const toleranceMs = 250;
const checkEveryMs = 500;

/**
 * Makes a function that tells by how many milliseconds the wall clock was set ahead since it was last called, negative
 * when it was set back; 0 when it was not. A computer that slept may look like a clock that was set ahead.
 */
export function createJumpDetector({ now, elapsed }: Clock): () => number {
  let offsetMs = now() - elapsed();
  return () => {
    const before = elapsed();
    const offset = now() - before;
    // Held up between the readings: they do not belong together, and the next ones will tell.
    if (elapsed() - before > toleranceMs / 2) return 0;
    const aheadMs = offset - offsetMs;
    offsetMs = offset;
    return Math.abs(aheadMs) > toleranceMs ? Math.round(aheadMs) : 0;
  };
}

/** Calls back within half a second after the wall clock was set. Returns the way to stop it. */
export function watchForJumps(clock: Clock, onJump: (aheadMs: number) => void): () => void {
  const jump = createJumpDetector(clock);
  const watching = setInterval(() => {
    const aheadMs = jump();
    if (aheadMs !== 0) onJump(aheadMs);
  }, checkEveryMs).unref();
  return () => clearInterval(watching);
}
