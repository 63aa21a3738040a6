import type { SimulatedTime } from './time.ts';

/** Freezes or ends one process of a simulation, at once or at one of its points. Code between points always runs on. */
export function createStops(time: SimulatedTime) {
  let frozenUntil = 0;
  /** Pending while the process is frozen. */
  let awake = Promise.resolve();
  let isDead = false;
  let stop: { point: string; skip: number; call: () => void } | undefined;

  return {
    /** To be awaited at the point. It does not resolve once the process has ended. */
    async pass(point: string): Promise<void> {
      await awake;
      if (stop?.point === point && stop.skip-- === 0) {
        const { call } = stop;
        stop = undefined;
        call();
      }
      await awake;
      if (isDead) await new Promise(() => {});
    },
    /** Calls back when the process has passed the point `skip` times and reaches it again. */
    callAt: (point: string, call: () => void, skip = 0) => void (stop = { point, skip, call }),
    freeze(forMs: number): void {
      frozenUntil = time.now() + forMs;
      awake = time.sleep(forMs);
    },
    /** Stops the process for good. */
    kill: () => void (isDead = true),
    isDead: () => isDead,
    isFrozen: () => time.now() < frozenUntil,
    /** Cancels what was planned. */
    spare: () => void (stop = undefined),
  };
}
