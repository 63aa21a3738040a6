import { type ReadonlySignal, signal } from '@preact/signals';

/** The time of the models, which tests control. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Runs once after `ms`; the returned function cancels it. */
  after: (ms: number, run: () => void) => () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** A quarter more or less, so that browsers do not all ask at once after a server was away. */
export const aboutMs = (ms: number): number => ms * (0.75 + Math.random() / 2);

/** Milliseconds before the next attempt: doubling up to about a minute. */
export const backoffMs = (attempts: number): number => aboutMs(Math.min(60_000, 500 * 2 ** attempts));

/** The time in milliseconds since the epoch, updated every minute for texts such as "5 minutes ago". */
export function createNow(clock: Clock): ReadonlySignal<number> {
  const now = signal(0);
  function tick() {
    now.value = clock.now();
    clock.after(60_000, tick);
  }
  tick();
  return now;
}

/** A pause before the next attempt. Events that may let it succeed end the pause, such as the network's return. */
export function createPause(clock: Clock) {
  let end = () => {};
  return {
    /** Resolves after `ms`, or when it is ended. */
    wait: (ms: number) =>
      new Promise<void>((resolve) => {
        const cancel = clock.after(ms, resolve);
        end = () => {
          cancel();
          resolve();
        };
      }),
    end: () => end(),
  };
}
