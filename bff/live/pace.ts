/** When to read again, and whether reading is allowed at all. Times in milliseconds. */

export interface Interest {
  /** Someone has the thread on screen. */
  isOnScreen: boolean;
  /** How long nothing new has been seen. */
  quietMs: number;
  /** Reads that failed in a row. */
  failures: number;
}

const longQuietMs = 10 * 60_000;
const longestPauseMs = 5 * 60_000;

/** Pause before the next read: slower in long silence and after failures, with jitter of a fifth. */
export function pauseMs(
  interest: Interest,
  config: { activeMs: number; idleMs: number },
  random: number,
): number {
  const baseMs = interest.isOnScreen ? config.activeMs : config.idleMs;
  const slowdown =
    Math.min(4, 1 + Math.floor(interest.quietMs / longQuietMs)) * 2 ** Math.min(interest.failures, 6);
  const pause = Math.max(baseMs, Math.min(baseMs * slowdown, longestPauseMs));
  return Math.round(pause * (0.9 + random / 5));
}

/** A token bucket over all watches: at most `perSecond` reads, in bursts of twice that. */
export function createBudget(perSecond: number, elapsed: () => number) {
  const most = perSecond * 2;
  let tokens = most;
  let filledAt = elapsed();
  return {
    take(): boolean {
      tokens = Math.min(most, tokens + ((elapsed() - filledAt) / 1000) * perSecond);
      filledAt = elapsed();
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
}
