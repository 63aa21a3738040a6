interface PollingDeps {
  /** One poll. Resolves with the time until the next one, in milliseconds. */
  poll: () => Promise<number>;
  /** Whether what a poll finds could be started. */
  isUseful: () => boolean;
  isRunning: () => boolean;
  onEnd: () => void;
  elapsed: () => number;
  onError: (error: unknown) => void;
}

/** The longest pause between polls. Operations that another process has abandoned are found by the next poll. */
const longestPauseMs = 15_000;
/** The shortest pause after a poll that failed: the store is down. */
const pauseAfterErrorMs = 1_000;

/** Polls, one at a time: when it is asked to, and by a timer. */
export function createPolling({ poll, isUseful, isRunning, onEnd, elapsed, onError }: PollingDeps) {
  let timer: NodeJS.Timeout | undefined;
  /** When the latest poll started, and when the timer starts the next one, by the monotonic clock. */
  let startedAt = -Infinity;
  let startsAt = Infinity;
  /** No timer starts a poll earlier. */
  let notBefore = -Infinity;
  let isUnderway = false;
  let latest = Promise.resolve();
  let isAsked = false;

  function stopTimer(): void {
    clearTimeout(timer);
    startsAt = Infinity;
  }

  /** Polls after this time, or earlier if that is planned. */
  function startIn(ms: number): void {
    if (ms <= 0) return start();
    const at = elapsed() + ms;
    if (!isRunning() || at >= startsAt) return;
    clearTimeout(timer);
    startsAt = at;
    timer = setTimeout(() => {
      startsAt = Infinity;
      start();
    }, ms);
  }

  async function run(): Promise<void> {
    stopTimer();
    startedAt = elapsed();
    startIn(Math.min(await poll(), longestPauseMs));
  }

  function start(): void {
    if (!isUseful()) return;
    if (isUnderway) {
      isAsked = true;
      return;
    }
    isUnderway = true;
    latest = run()
      .catch((error: unknown) => {
        onError(error);
        notBefore = elapsed() + pauseAfterErrorMs;
        startIn(pauseAfterErrorMs);
      })
      .finally(() => {
        isUnderway = false;
        onEnd();
        if (isAsked) {
          isAsked = false;
          start();
        }
      });
  }

  return {
    get isUnderway(): boolean {
      return isUnderway;
    },

    /** Polls now, unless that is of no use. A call during a poll causes one more poll. */
    start,

    /** Polls once the latest poll is at least this long ago, and longer after a failure. */
    startAfterPause: (ms: number): void => startIn(Math.max(startedAt + ms, notBefore) - elapsed()),

    /** Ends the polling. Resolves when a poll that is under way has ended. */
    stop(): Promise<void> {
      stopTimer();
      return latest;
    },
  };
}
