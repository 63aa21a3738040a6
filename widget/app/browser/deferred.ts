import { batch, signal } from '@preact/signals';

/** The script cannot be loaded on this page any more; only a reload helps. */
export class ScriptGone extends Error {}

/** A part of the app whose script is loaded separately; `onLoad` is called once it is loaded. */
export function createDeferred<T>(load: () => Promise<T>, onLoad: (part: T) => void) {
  const loaded = signal<T | null>(null);
  /** Why the last attempt failed; `gone`: it cannot work on this page any more. */
  const failure = signal<'failed' | 'gone' | null>(null);
  let pending: Promise<T | null> | null = null;

  async function attempt() {
    failure.value = null;
    let part: T | null = null;
    try {
      part = await load();
    } catch (error) {
      failure.value = error instanceof ScriptGone ? 'gone' : 'failed';
    }
    pending = null;
    if (part)
      batch(() => {
        loaded.value = part;
        onLoad(part);
      });
    return part;
  }

  return {
    loaded,
    failure,
    /** The part; null when it could not be loaded this time. */
    fetch: async (): Promise<T | null> => loaded.peek() ?? (pending ??= attempt()),
  };
}

export type Deferred<T> = ReturnType<typeof createDeferred<T>>;
