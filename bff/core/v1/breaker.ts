const openAfter = 5;
const openMs = 5_000;

/**
 * Circuit breaker: after five failed calls in a row it allows one call every five seconds, until one succeeds. Times
 * are from `elapsed`, in milliseconds.
 */
export function createBreaker(elapsed: () => number) {
  let failures = 0;
  let nextTryAt = 0;
  return {
    /** Each `true` counts as the one allowed call. */
    allows(): boolean {
      if (failures < openAfter) return true;
      if (elapsed() < nextTryAt) return false;
      nextTryAt = elapsed() + openMs;
      return true;
    },
    report(isGood: boolean): void {
      failures = isGood ? 0 : failures + 1;
      if (failures === openAfter) nextTryAt = elapsed() + openMs;
    },
    get isOpen(): boolean {
      return failures >= openAfter;
    },
    /** When the next call is allowed, if it is open. */
    get nextTryAt(): number {
      return nextTryAt;
    },
  };
}

export type Breaker = ReturnType<typeof createBreaker>;
