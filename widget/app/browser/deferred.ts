import { batch, signal } from '@preact/signals';

/** The script cannot be loaded on this page any more; only a reload helps. */
export class ScriptGone extends Error {}

/** What a separate script exports; `onLoad` is called once it is loaded. */
export function createDeferred<T>(load: () => Promise<T>, onLoad?: (result: T) => void) {
  const loaded = signal<T | null>(null);
  /** Why the last attempt failed; `gone`: it cannot be loaded on this page any more. */
  const failure = signal<'failed' | 'gone' | null>(null);
  let pending: Promise<T | null> | null = null;

  async function attempt() {
    failure.value = null;
    let result: T | null = null;
    try {
      result = await load();
    } catch (error) {
      failure.value = error instanceof ScriptGone ? 'gone' : 'failed';
    }
    pending = null;
    if (result)
      batch(() => {
        loaded.value = result;
        onLoad?.(result);
      });
    return result;
  }

  return {
    loaded,
    failure,
    /** What the script exports; null when it could not be loaded this time. */
    fetch: async (): Promise<T | null> => loaded.peek() ?? (pending ??= attempt()),
  };
}

export type Deferred<T> = ReturnType<typeof createDeferred<T>>;

/** Time-out of the check whether the BFF can be reached. */
const askMs = 10_000;

/**
 * Imports a script; after a failure once more, when the BFF can be reached.
 * @throws {ScriptGone} when it cannot be loaded on this page any more
 */
export const importScript =
  <T>(load: () => Promise<T>) =>
  async (): Promise<T> => {
    try {
      return await load();
    } catch {
      await fetch(location.pathname, {
        method: 'HEAD',
        cache: 'no-store',
        signal: AbortSignal.timeout(askMs),
      });
      try {
        return await load();
      } catch {
        // The script is of another build, or the browser caches the failed import until a reload, as Firefox does.
        throw new ScriptGone();
      }
    }
  };
