import { setTimeout as sleep } from 'node:timers/promises';

/** The pause after an error, such as one of the store. */
const restMs = 5_000;
/** How long a stop waits for what is under way. What takes longer is taken up again after its lease. */
const stopWithinMs = 6_000;

/**
 * Calls `pass` again and again, one call at a time: when it is kicked, and else after the pause that `pauseMs` returns, in
 * milliseconds. It knows nothing of mails.
 */
export function createLoop({
  pass,
  pauseMs,
  onError,
}: {
  pass: () => Promise<void>;
  pauseMs: () => number | Promise<number>;
  onError: (error: unknown) => void;
}) {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isStarted = false;
  /** Set when `kick` is called during a pass. Another pass then follows. */
  let isKicked = false;

  async function run(): Promise<void> {
    let nextMs = restMs;
    try {
      await pass();
      nextMs = await pauseMs();
    } catch (error) {
      onError(error);
    } finally {
      running = undefined;
      if (isStarted) timer = setTimeout(kick, isKicked ? 0 : nextMs).unref();
    }
  }

  /** To be called when something may have become due. */
  function kick(): void {
    if (!isStarted) return;
    clearTimeout(timer);
    isKicked = running !== undefined;
    running ??= run();
  }

  return {
    kick,
    /** Whether a pass that is under way must end. */
    isStopping: (): boolean => stopping.signal.aborted,

    start(): void {
      isStarted = true;
      kick();
    },

    /** Starts nothing more, and waits a short time for the pass that is under way, and for `others`. */
    async stop(others?: Promise<unknown>): Promise<void> {
      isStarted = false;
      stopping.abort();
      clearTimeout(timer);
      await Promise.race([Promise.all([running, others]), sleep(stopWithinMs, undefined, { ref: false })]);
    },
  };
}
