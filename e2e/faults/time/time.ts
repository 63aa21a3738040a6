import { setTimeout as sleepReal } from 'node:timers/promises';

/** How virtual time runs: like real time, but `speed` times as fast between `fromMs` and `untilMs`. */
export interface Pace {
  /** Real Unix milliseconds; virtual time is the same up to here. */
  fromMs: number;
  /** Real Unix milliseconds; Infinity: fast for ever. */
  untilMs: number;
  speed: number;
}

/** While it lasts, a wall clock is wrong. All other clocks of the process continue unchanged. */
export interface ClockShift {
  /** Virtual Unix milliseconds, like `toMs`. */
  fromMs: number;
  toMs: number;
  /** Ahead, or back where negative. */
  byMs: number;
}

/** How far a wall clock with these shifts is off at this moment. */
export const shiftAt = (shifts: readonly ClockShift[], virtualMs: number): number =>
  shifts.reduce(
    (sum, { fromMs, toMs, byMs }) => sum + (virtualMs >= fromMs && virtualMs < toMs ? byMs : 0),
    0,
  );

/** How virtual time follows from real time; all in Unix milliseconds. */
export function createTime({ fromMs, untilMs, speed }: Pace) {
  const gainedMs = (untilMs - fromMs) * (speed - 1);
  const virtualAt = (realMs: number) => {
    if (realMs <= fromMs) return realMs;
    return realMs <= untilMs ? fromMs + (realMs - fromMs) * speed : realMs + gainedMs;
  };
  const realAt = (virtualMs: number) => {
    if (virtualMs <= fromMs) return virtualMs;
    return virtualMs <= virtualAt(untilMs) ? fromMs + (virtualMs - fromMs) / speed : virtualMs - gainedMs;
  };
  return { virtualAt, realAt };
}

/** Fast from now on. */
export const fastPace = (speed: number): Pace => ({ fromMs: Date.now(), untilMs: Infinity, speed });

/** Virtual time for the bench itself, whose own clock is left alone. */
export function startTime(pace: Pace) {
  const { virtualAt, realAt } = createTime(pace);
  const now = () => virtualAt(Date.now());
  return {
    pace,
    now,
    /** Virtual milliseconds. */
    sleep: (ms: number, signal?: AbortSignal) =>
      sleepReal(Math.max(0, realAt(now() + ms) - Date.now()), undefined, signal ? { signal } : {}),
    /**
     * The environment of a process that runs in virtual time. `preload` is the built `clock.ts`. `shiftsFile` contains
     * a list of `ClockShift` as JSON, and may be replaced while the process runs.
     */
    environment: (preload: string, shiftsFile?: string): Record<string, string> => ({
      NODE_OPTIONS: `--import=${preload}`,
      CLOCK_PACE: [pace.fromMs, pace.untilMs, pace.speed].join(),
      ...(shiftsFile ? { CLOCK_SHIFTS: shiftsFile } : {}),
    }),
  };
}

export type Time = ReturnType<typeof startTime>;
