import type { Store } from '../storage.ts';
import type { Clock } from './clock.ts';
import type { Signal } from './signal.ts';
import { signal } from './signal.ts';

const saveAfterMs = 250;

interface Draft {
  text: Signal<unknown>;
  empty: unknown;
  is: (value: unknown) => boolean;
}

/** `owner`: the signed-in customer whose text it is; null for one whom nobody has named. */
const nameOf = (owner: string | null, name: string) => `draft:${owner === null ? '' : `${owner}/`}${name}`;

/** Whose a stored value is; undefined for what is no draft. */
export function draftOwner(stored: string): string | null | undefined {
  const [, owner = null] = /^draft:(?:(.+)\/)?/.exec(stored) ?? [undefined, undefined];
  return stored.startsWith('draft:') ? owner : undefined;
}

/** Texts that the customer is writing, by name; kept over reloads, for each owner apart. */
export function createDrafts(storage: Store, clock: Clock, first: string | null) {
  let owner = first;
  const open = new Map<string, Draft>();
  const unsaved = new Set<string>();
  let cancel = () => {};

  function flush() {
    cancel();
    for (const name of unsaved)
      if (storage.write(nameOf(owner, name), open.get(name)!.text.peek())) unsaved.delete(name);
  }

  const stored = (name: string, { empty, is }: Omit<Draft, 'text'>) => {
    const value = storage.read(nameOf(owner, name));
    return is(value) ? value : empty;
  };

  /** The draft's value; one that was stored in another shape begins anew. */
  function read<T>(name: string, empty: T, is: (value: unknown) => value is T): Signal<T> {
    if (!open.has(name)) open.set(name, { text: signal<unknown>(stored(name, { empty, is })), empty, is });
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
      storage.remove(nameOf(owner, name));
    },
    /** Writes what still waits, for a page that is about to go. */
    flush,
    /**
     * Shows the texts of another owner. Those of a signed-in one stay stored for them; what was written before anybody
     * was named goes to the one who is, unless they have begun the same.
     */
    turnTo(next: string | null) {
      if (next === owner) return;
      flush();
      unsaved.clear();
      const isNamed = owner === null;
      owner = next;
      const comesAlong = (name: string) => isNamed && storage.read(nameOf(next, name)) === null;
      for (const [name, draft] of open) if (!comesAlong(name)) draft.text.value = stored(name, draft);
      if (!isNamed) return;
      for (const former of storage.names('draft:')) {
        const name = former.slice('draft:'.length);
        if (draftOwner(former) !== null || !comesAlong(name)) continue;
        const text = storage.read(former);
        storage.remove(former);
        storage.write(nameOf(next, name), text);
      }
    },
    /** Empties every draft on this page; what is stored is not touched. */
    forget() {
      unsaved.clear();
      for (const { text, empty } of open.values()) text.value = empty;
    },
  };
}

export type DraftsModel = ReturnType<typeof createDrafts>;
