import type { Clock } from './clock.ts';

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
