import { signal } from './signal.ts';

/** Fetches a script; rejects where that fails. `attempt` counts from 1. */
export type Load<T> = (attempt: number) => Promise<T>;

/** A part of the app whose script comes by itself; `onLoad` hears of it once it is there. */
export function createPart<T>(load: Load<T>, onLoad: (part: T) => void) {
  const loaded = signal<T | null>(null);
  const hasFailed = signal(false);
  let attempts = 0;
  let pending: Promise<T | null> | null = null;

  async function attempt() {
    hasFailed.value = false;
    const part = await load((attempts += 1)).catch(() => null);
    pending = null;
    hasFailed.value = !part;
    if (part) {
      loaded.value = part;
      onLoad(part);
    }
    return part;
  }

  return {
    loaded,
    hasFailed,
    /** The part, once it is there; null where it could not be fetched this time. */
    fetch: async (): Promise<T | null> => loaded.peek() ?? (pending ??= attempt()),
  };
}

export type Part<T> = ReturnType<typeof createPart<T>>;
