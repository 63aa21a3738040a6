/*
 * The part of signals that this app needs, with their usual names. The whole library, with its binding to Preact and
 * Preact's hooks, is a fifth of what the frame document may weigh.
 */

export interface ReadonlySignal<T> {
  /** Reading it inside an effect makes the effect run again when it changes. */
  readonly value: T;
  /** Reads without that. */
  peek: () => T;
}

export interface Signal<T> extends ReadonlySignal<T> {
  value: T;
}

interface Watcher {
  run: () => void;
  /** The watcher sets that this one stands in. */
  sources: Set<Set<Watcher>>;
}

let current: Watcher | null = null;
const due = new Set<Watcher>();

function flush() {
  for (const watcher of due) {
    due.delete(watcher);
    // A failing one must not keep the others from running.
    try {
      watcher.run();
    } catch (error) {
      reportError(error);
    }
  }
}

function trackedBy<T>(watcher: Watcher | null, read: () => T): T {
  const outer = current;
  current = watcher;
  try {
    return read();
  } finally {
    current = outer;
  }
}

export const untracked = <T>(read: () => T): T => trackedBy(null, read);

export function signal<T>(initial: T): Signal<T> {
  let held = initial;
  const watchers = new Set<Watcher>();
  return {
    get value() {
      if (current) {
        watchers.add(current);
        current.sources.add(watchers);
      }
      return held;
    },
    set value(next) {
      if (Object.is(next, held)) return;
      held = next;
      if (due.size === 0 && watchers.size > 0) queueMicrotask(flush);
      for (const watcher of watchers) due.add(watcher);
    },
    peek: () => held,
  };
}

/** A value that follows from others; computed at each reading. */
export const computed = <T>(read: () => T): ReadonlySignal<T> => ({
  get value() {
    return read();
  },
  peek: () => untracked(read),
});

/** Runs now, and once in a microtask after any number of changes to what it read. The answer ends it. */
export function effect(run: () => void): () => void {
  const end = () => {
    due.delete(watcher);
    for (const watchers of watcher.sources) watchers.delete(watcher);
  };
  const watcher: Watcher = {
    sources: new Set(),
    run() {
      end();
      trackedBy(watcher, run);
    },
  };
  watcher.run();
  return end;
}
