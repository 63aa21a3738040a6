import { signal } from './signal.ts';

/** Fetches a script; rejects where that fails. `attempt` counts from 1. */
export type Load<T> = (attempt: number) => Promise<T>;

/** There is no such script any more: this page is of a build that is served no longer. */
export class ScriptGone extends Error {}

/** A part of the app whose script comes by itself; `onLoad` hears of it once it is there. */
export function createPart<T>(load: Load<T>, onLoad: (part: T) => void) {
  const loaded = signal<T | null>(null);
  /** Why the last attempt failed: `gone` for good, as long as this page stands. */
  const failure = signal<'failed' | 'gone' | null>(null);
  let attempts = 0;
  let pending: Promise<T | null> | null = null;

  async function attempt() {
    failure.value = null;
    let part: T | null = null;
    try {
      part = await load((attempts += 1));
    } catch (error) {
      failure.value = error instanceof ScriptGone ? 'gone' : 'failed';
    }
    pending = null;
    if (part) {
      loaded.value = part;
      onLoad(part);
    }
    return part;
  }

  return {
    loaded,
    failure,
    /** The part, once it is there; null where it could not be fetched this time. */
    fetch: async (): Promise<T | null> => loaded.peek() ?? (pending ??= attempt()),
  };
}

export type Part<T> = ReturnType<typeof createPart<T>>;
