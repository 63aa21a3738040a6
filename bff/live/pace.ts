/** How long after a read a ticket is to be read again, and how many reads may begin. Times in milliseconds. */

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

/** Turns that were missed in this time, on a busy machine or without requests, are made up for. */
const slackMs = 250;

/**
 * Decides when the next turn may be taken: at even distances, so that a new request waits for one distance at most, and
 * never more than `perSecond` in any second. Times are those of `elapsed`, in milliseconds.
 */
export function createPace(perSecond: number, elapsed: () => number) {
  const distanceMs = 1_000 / perSecond;
  /** When the last `perSecond` turns were taken. */
  const taken: number[] = [];
  let evenAt = -Infinity;
  const secondIsOverAt = () => (taken.length < perSecond ? -Infinity : taken[0]! + 1_000);
  return {
    waitMs: (): number => Math.max(0, Math.max(evenAt, secondIsOverAt()) - elapsed()),
    take(): void {
      const now = elapsed();
      // Turns that the limit per second forbade were not missed. Made up for, they would come in a burst every second.
      evenAt = Math.max(evenAt, now - slackMs, secondIsOverAt()) + distanceMs;
      taken.push(now);
      if (taken.length > perSecond) taken.shift();
    },
  };
}
