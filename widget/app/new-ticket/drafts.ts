import type { Store } from '../browser/storage.ts';
import type { Clock } from '../browser/clock.ts';
import { action, type Signal, signal } from '@preact/signals';
import type { LocalFile } from '../outbox/sends.ts';

const saveAfterMs = 250;

interface Draft {
  text: Signal<unknown>;
  empty: unknown;
  /** The stored value in today's shape; null if nothing of it can be used. */
  parse: (value: unknown) => unknown;
}

/** Storage name of a draft; `owner`: the signed-in customer, null for nobody. */
const nameOf = (owner: string | null, name: string) => `draft:${owner === null ? '' : `${owner}/`}${name}`;

/** The draft that has the files of a draft. */
export const filesName = (name: string) => `files:${name}`;

/** The owner of a stored value; undefined if it is not a draft. */
export function draftOwner(stored: string): string | null | undefined {
  const [, owner = null] = /^draft:(?:(.+)\/)?/.exec(stored) ?? [undefined, undefined];
  return stored.startsWith('draft:') ? owner : undefined;
}

/** Texts that the customer is writing, by name. Stored separately for each owner. */
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

  const stored = (name: string, { empty, parse }: Omit<Draft, 'text'>) =>
    parse(storage.read(nameOf(owner, name))) ?? empty;

  /** The draft's value; `empty` when the stored one has another shape. */
  function read<T>(name: string, empty: T, parse: (value: unknown) => T | null): Signal<T> {
    if (!open.has(name))
      open.set(name, { text: signal<unknown>(stored(name, { empty, parse })), empty, parse });
    return open.get(name)!.text as Signal<T>;
  }

  return {
    read,
    reply: (ref: string) => read(ref, '', (value) => (typeof value === 'string' ? value : null)),
    /** Files for the draft of this name. */
    files: (name: string) =>
      read<readonly LocalFile[]>(filesName(name), [], (value) => (Array.isArray(value) ? value : null)),
    write(name: string, value: unknown) {
      open.get(name)!.text.value = value;
      unsaved.add(name);
      cancel();
      cancel = clock.after(saveAfterMs, flush);
    },
    /** With its files. */
    clear: action((draft: string) => {
      for (const name of [draft, filesName(draft)]) {
        if (!open.has(name)) continue;
        const { text, empty } = open.get(name)!;
        text.value = empty;
        unsaved.delete(name);
        storage.remove(nameOf(owner, name));
      }
    }),
    /** Stores pending changes now, before the page is left. */
    flush,
    /** Shows what another tab has written or sent, except in place of changes that are not stored yet. */
    refresh: action(() => {
      for (const [name, draft] of open) if (!unsaved.has(name)) draft.text.value = stored(name, draft);
    }),
    /**
     * Shows the drafts of another owner; those of the last owner stay stored. Drafts that were written while nobody was
     * signed in go to the customer who signs in, unless they have a draft of the same name.
     */
    changeOwner: action((next: string | null) => {
      if (next === owner) return;
      flush();
      unsaved.clear();
      const isNamed = owner === null;
      owner = next;
      const isTransferred = (name: string) => isNamed && storage.read(nameOf(next, name)) === null;
      for (const [name, draft] of open) if (!isTransferred(name)) draft.text.value = stored(name, draft);
      if (!isNamed) return;
      for (const former of storage.names('draft:')) {
        const name = former.slice('draft:'.length);
        if (draftOwner(former) !== null || !isTransferred(name)) continue;
        const text = storage.read(former);
        storage.remove(former);
        storage.write(nameOf(next, name), text);
      }
    }),
    /** Empties every draft on this page, but not in storage. */
    forget: action(() => {
      unsaved.clear();
      for (const { text, empty } of open.values()) text.value = empty;
    }),
  };
}

export type DraftsModel = ReturnType<typeof createDrafts>;
