/**
 * The path that the BFF is under, such as `/support`. Empty at the root, and where the build renders the documents.
 * Another BFF may be under another path of the same host.
 */
export const folder = globalThis.location?.pathname.split('/').slice(0, -1).join('/') ?? '';

const prefix = `deskside${folder}:v1:`;

/** Not personal: true when this browser has had a session here, false when the customer has signed out. */
export const usedName = 'used';

/** Prefix of values that are not personal and stay when a customer is forgotten. */
export const keptName = 'keep:';

/** Small JSON values that survive a reload. Where storage is denied or full they are kept in memory only. */
export interface Store {
  /** The value, or null. Callers check its shape, since an older version may have written it. */
  read: (name: string) => unknown;
  /** False when the value is in memory only. */
  write: (name: string, value: unknown) => boolean;
  /** False when the value is in memory only. */
  isKept: (name: string) => boolean;
  remove: (name: string) => void;
  /** Names that begin with `start`. */
  names: (start: string) => string[];
  /** Calls back when another tab changed a value. */
  watch: (onChange: () => void) => void;
}

const attempt = <T>(use: () => T): T | null => {
  try {
    return use();
  } catch {
    return null;
  }
};

/** What a store keeps under this name. `open`: as of `createValues`. */
const readStored = (open: () => Storage, name: string): unknown =>
  attempt(() => JSON.parse(open().getItem(prefix + name)!) as unknown);

/**
 * Reads and writes only, which is all that the document's own script does. `open` may throw: where storage is denied,
 * reading `window.localStorage` does. `memory`: what is not kept.
 */
export function createValues(
  open: () => Storage,
  memory = new Map<string, string>(),
): Pick<Store, 'read' | 'write'> {
  return {
    read(name) {
      const unkept = memory.get(prefix + name);
      return unkept === undefined ? readStored(open, name) : JSON.parse(unkept);
    },
    write(name, value) {
      const key = prefix + name;
      memory.set(key, JSON.stringify(value));
      const isKept = attempt(() => open().setItem(key, memory.get(key)!)) === undefined;
      if (isKept) memory.delete(key);
      return isKept;
    },
  };
}

/** `open` as of `createValues`. */
export function createStore(open: () => Storage): Store {
  const memory = new Map<string, string>();
  return {
    ...createValues(open, memory),
    isKept: (name) => !memory.has(prefix + name),
    remove(name) {
      memory.delete(prefix + name);
      attempt(() => open().removeItem(prefix + name));
    },
    names: (start) =>
      [...new Set([...(attempt(() => Object.keys(open())) ?? []), ...memory.keys()])]
        .filter((key) => key.startsWith(prefix + start))
        .map((key) => key.slice(prefix.length)),
    watch(onChange) {
      addEventListener('storage', ({ key }) => {
        if (key?.startsWith(prefix)) onChange();
      });
    },
  };
}
