import type { Store } from '../storage.ts';
import type { Clock } from './clock.ts';
import type { Signal } from './signal.ts';
import { signal } from './signal.ts';

const saveAfterMs = 250;

/** Texts that the customer is writing, by name; kept over reloads. */
export function createDrafts(storage: Store, clock: Clock) {
  const open = new Map<string, { text: Signal<unknown>; empty: unknown }>();
  const unsaved = new Set<string>();
  let cancel = () => {};

  function flush() {
    cancel();
    for (const name of unsaved)
      if (storage.write(`draft:${name}`, open.get(name)!.text.peek())) unsaved.delete(name);
  }

  /** The draft's value; one that was stored in another shape begins anew. */
  function read<T>(name: string, empty: T, is: (value: unknown) => value is T): Signal<T> {
    if (!open.has(name)) {
      const stored = storage.read(`draft:${name}`);
      open.set(name, { text: signal<unknown>(is(stored) ? stored : empty), empty });
    }
    return open.get(name)!.text as Signal<T>;
  }

  return {
    read,
    reply: (ref: string) => read(ref, '', (value): value is string => typeof value === 'string'),
    write(name: string, value: unknown) {
      open.get(name)!.text.value = value;
      unsaved.add(name);
      cancel();
      cancel = clock.after(saveAfterMs, flush);
    },
    clear(name: string) {
      const { text, empty } = open.get(name)!;
      text.value = empty;
      unsaved.delete(name);
      storage.remove(`draft:${name}`);
    },
    /** Writes what still waits, for a page that is about to go. */
    flush,
    /** Empties every draft on this page; what is stored is not touched. */
    forget() {
      unsaved.clear();
      for (const { text, empty } of open.values()) text.value = empty;
    },
  };
}

export type DraftsModel = ReturnType<typeof createDrafts>;
