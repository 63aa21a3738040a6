import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';

const nextTurn = timersPromises.setImmediate;

interface Timer {
  at: number;
  everyMs: number | null;
  call: () => void;
}

/** The time when a simulation begins, for the service and for instances with a correct clock. Unix milliseconds. */
export const startMs = Date.UTC(2026, 0, 1);

/**
 * The time of a simulation, in milliseconds since its start, and its timers. It does not advance until `pass` is
 * called. Work is followed to its end in between, so calls that need turns of the event loop must use `during`.
 * @param isExact whether that also holds for work that a timer begins and that comes to such a call later. It takes
 *   three times as long.
 */
export function createSimulatedTime(isExact = false) {
  let at = 0;
  let lastId = 0;
  let started = 0;
  const running = new Set<Promise<unknown>>();
  const timers = new Map<number, Timer>();

  function add(call: () => void, ms: number, everyMs: number | null) {
    lastId += 1;
    timers.set(lastId, { at: at + Math.max(0, ms), everyMs, call });
    return Object.assign(Object(lastId) as object, { unref: () => lastId });
  }
  const remove = (timer: unknown) => void timers.delete(Number(timer));

  /** Waits until all work is done that needs no timer. */
  async function settle(): Promise<void> {
    for (let seen = -1; seen !== started;) {
      seen = started;
      await nextTurn();
      while (running.size > 0) await nextTurn();
    }
  }

  function fireDue(): void {
    const due = [...timers].filter(([, timer]) => timer.at <= at);
    for (const [id, timer] of due) {
      if (timer.everyMs === null) timers.delete(id);
      else timer.at += timer.everyMs;
      timer.call();
    }
  }

  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      add(
        () => {
          started += 1;
          resolve();
        },
        ms,
        null,
      );
    });

  return {
    now: () => at,
    settle,

    /** Counts a call until it ends. */
    async during<Result>(work: Promise<Result>): Promise<Result> {
      running.add(work);
      started += 1;
      try {
        return await work;
      } finally {
        running.delete(work);
      }
    },

    /** Resolves when this time has passed. */
    sleep,

    /** Lets time pass. Timers that are due at the same time run together. */
    async pass(ms: number): Promise<void> {
      const end = at + ms;
      for (;;) {
        const next = Math.min(...Array.from(timers.values(), (timer) => timer.at));
        if (next > end) break;
        at = Math.max(at, next);
        const before = started;
        fireDue();
        if (isExact || started !== before) await settle();
      }
      at = end;
      await settle();
    },

    /** Replacements for the timers of the platform. */
    globals: {
      setTimeout: (call: () => void, ms = 0) => add(call, ms, null),
      setInterval: (call: () => void, ms: number) => add(call, ms, ms),
      clearTimeout: remove,
      clearInterval: remove,
    },
  };
}

/** Replaces all timers of the platform by simulated ones. Returns the function that puts them back. */
export function installTime({ during, globals, sleep }: SimulatedTime): () => void {
  const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis;
  const platform = timersPromises.setTimeout;
  Object.assign(globalThis, globals);
  Object.assign(timersPromises, {
    async setTimeout<Value>(ms: number, value: Value, { signal }: { signal?: AbortSignal } = {}) {
      await sleep(ms);
      signal?.throwIfAborted();
      return value;
    },
    setImmediate: () => during(nextTurn()),
  });
  syncBuiltinESMExports();
  return () => {
    Object.assign(globalThis, { setTimeout, setInterval, clearTimeout, clearInterval });
    Object.assign(timersPromises, { setTimeout: platform, setImmediate: nextTurn });
    syncBuiltinESMExports();
  };
}

export type SimulatedTime = ReturnType<typeof createSimulatedTime>;
