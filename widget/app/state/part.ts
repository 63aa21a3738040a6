import { signal } from './signal.ts';

/** Fetches a script; rejects where that fails. `attempt` counts from 1. */
export type Load<T> = (attempt: number) => Promise<T>;

/** A part of the app whose script comes by itself; `onLoad` hears of it once it is there. */
export function createPart<T>(load: Load<T>, onLoad: (part: T) => void) {
  const loaded = signal<T | null>(null);
  const hasFailed = signal(false);
  let attempts = 0;
  return {
    loaded,
    hasFailed,
    async fetch() {
      hasFailed.value = false;
      const part = await load((attempts += 1)).catch(() => null);
      hasFailed.value = !part;
      if (!part || loaded.peek()) return;
      loaded.value = part;
      onLoad(part);
    },
  };
}

export type Part<T> = ReturnType<typeof createPart<T>>;
