const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Waits after the first, second, … failed attempt, as Standard Webhooks suggests; the last is after about 3 days. */
const delaysMs = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/**
 * Milliseconds to wait after `failedAttempts` attempts, spread by up to a fifth so that endpoints that failed together
 * are not all tried at once; null when no attempt is left.
 */
export function retryDelayMs(failedAttempts: number, random: () => number = Math.random): number | null {
  const delayMs = delaysMs[failedAttempts - 1];
  return delayMs === undefined ? null : Math.round(delayMs * (1 + random() / 5));
}
