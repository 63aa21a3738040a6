import { setTimeout as sleepReal } from 'node:timers/promises';

/** Virtual time for the bench itself, whose own clock is left alone: from now on `speed` times as fast as real time. */
export function startTime(speed = 1) {
  const fromMs = Date.now();
  return {
    speed,
    /** Unix milliseconds. */
    now: () => fromMs + (Date.now() - fromMs) * speed,
    /** Virtual milliseconds. */
    sleep: (ms: number, signal?: AbortSignal) =>
      sleepReal(Math.max(0, ms / speed), undefined, signal ? { signal } : {}),
    /**
     * The environment of a process that runs in virtual time. `preload` is the built `clock.ts`. `offFile` contains the
     * milliseconds by which the wall clock is ahead, or back where negative, and may be replaced while the process runs.
     */
    environment: (preload: string, offFile?: string): Record<string, string> => ({
      NODE_OPTIONS: `--import=${preload}`,
      CLOCK_PACE: [fromMs, speed].join(),
      ...(offFile ? { CLOCK_OFF: offFile } : {}),
    }),
  };
}

export type Time = ReturnType<typeof startTime>;
