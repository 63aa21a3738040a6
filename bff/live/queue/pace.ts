/** How often a ticket is to be read, and how many reads may begin. Times in milliseconds. */

export interface Interest {
  /** Someone has the thread on screen. */
  isOnScreen: boolean;
  /** Whether the newest message is the customer's. */
  isAwaited: boolean;
  /** The time since something new was seen. */
  quietMs: number;
  /** The number of failed reads in a row. */
  failures: number;
}

interface Intervals {
  activeMs: number;
  idleMs: number;
}

const longQuietMs = 10 * 60_000;
const longestPauseMs = 5 * 60_000;
/** An agent who has just answered often has more to say. */
const livelyMs = 2 * 60_000;
/** The interval of a ticket is multiplied by this while the list shows its changes. */
const coveredSlowdown = 4;

const bounded = (baseMs: number, slowdown: number) =>
  Math.max(baseMs, Math.min(baseMs * slowdown, longestPauseMs));

/** The interval between reads while there are turns enough. Long silence and failures make it longer. */
export function intervalMs(interest: Interest, { activeMs, idleMs }: Intervals): number {
  const slowdown =
    Math.min(4, 1 + Math.floor(interest.quietMs / longQuietMs)) * 2 ** Math.min(interest.failures, 6);
  return bounded(interest.isOnScreen ? activeMs : idleMs, slowdown);
}

/** Pause before the next read, with jitter of a fifth. `random`: from 0 to 1. */
export function pauseMs(wantedMs: number, isCovered: boolean, random: number): number {
  return Math.round(bounded(wantedMs, isCovered ? coveredSlowdown : 1) * (0.9 + random / 5));
}

/**
 * The interval by which a ticket's share of the turns is calculated when there are too few (`fair-queue.ts`). A
 * ticket whose customer waits for an answer, or has seen something new less than two minutes ago, gets twice as many
 * turns as others with the same interval.
 */
export function shareMs(wantedMs: number, interest: Interest, isCovered: boolean): number {
  const isUrgent = interest.isAwaited || interest.quietMs < livelyMs;
  return bounded(wantedMs, (isUrgent ? 1 : 2) * (isCovered ? coveredSlowdown : 1));
}

/** When the ticket is read next, in milliseconds from now, and the interval by which it shares the turns. */
export function planRead(interest: Interest, intervals: Intervals, isCovered: boolean) {
  const wantedMs = intervalMs(interest, intervals);
  return {
    wantedMs,
    inMs: pauseMs(wantedMs, isCovered, Math.random()),
    everyMs: shareMs(wantedMs, interest, isCovered),
  };
}

/** Turns missed for up to this long, because of a busy machine or a lack of requests, are made up for. */
const slackMs = 250;

/**
 * Decides when the next turn may be taken. Turns come at even intervals, so that a new request waits for one interval
 * at most. At most `perSecond` turns are taken in any second; it is a whole number and may change. Times are from
 * `elapsed`, in milliseconds.
 */
export function createPace(perSecond: () => number, elapsed: () => number) {
  /** The times of the last `perSecond` turns. */
  const taken: number[] = [];
  let evenAt = -Infinity;
  const secondIsOverAt = () => (taken.at(-perSecond()) ?? -Infinity) + 1_000;
  return {
    waitMs: (): number => Math.max(0, Math.max(evenAt, secondIsOverAt()) - elapsed()),
    take(): void {
      const now = elapsed();
      // Turns that the limit per second forbade were not missed. Making up for them would cause a burst every second.
      evenAt = Math.max(evenAt, now - slackMs, secondIsOverAt()) + 1_000 / perSecond();
      taken.push(now);
      taken.splice(0, taken.length - perSecond());
    },
  };
}
