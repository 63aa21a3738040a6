const prefix = 'deskside:v1:';

/** Begins the names of what says nothing of anybody, and stays when a customer is forgotten. */
export const keptName = 'keep:';

/** Small JSON values that survive a reload; where the browser refuses to keep them, they live as long as the page. */
export interface Store {
  /** The value as it was written, or null; callers check its shape, since older versions wrote it too. */
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

/** `open` may throw: merely reading `window.localStorage` does where storage is denied. */
export function createStore(open: () => Storage): Store {
  const memory = new Map<string, string>();
  const attempt = <T>(use: () => T): T | null => {
    try {
      return use();
    } catch {
      return null;
    }
  };
  return {
    read: (name) =>
      attempt(() => JSON.parse(memory.get(prefix + name) ?? open().getItem(prefix + name)!) as unknown),
    write(name, value) {
      const key = prefix + name;
      memory.set(key, JSON.stringify(value));
      const isKept = attempt(() => open().setItem(key, memory.get(key)!)) === undefined;
      if (isKept) memory.delete(key);
      return isKept;
    },
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
