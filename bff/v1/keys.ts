import { readFileSync, statSync } from 'node:fs';

/** The workspace API keys: one or two, the one that last worked first. */
export interface KeyRing {
  /** In the order to try. */
  current(): readonly string[];
  /** Remembers which key the service accepts. */
  prefer(key: string): void;
}

export function createKeyRing(source: { keys: readonly string[]; keyFile: string | undefined }): KeyRing {
  const read = source.keyFile ? keysOfFile(source.keyFile) : () => source.keys;
  let preferred: string | undefined;
  return {
    current() {
      const keys = read();
      return preferred && keys.includes(preferred)
        ? [preferred, ...keys.filter((key) => key !== preferred)]
        : keys;
    },
    prefer(key) {
      preferred = key;
    },
  };
}

/** Reads the file again when it has changed; keeps the last good keys while it cannot be read or holds none. */
function keysOfFile(file: string): () => readonly string[] {
  const first = readFileSync(file, 'utf8');
  if (!isKeyList(first)) throw new Error('SUPPORT_API_KEY_FILE must hold one or two keys of printable ASCII');
  let keys = parseKeys(first);
  let changed = statSync(file).mtimeMs;
  return () => {
    try {
      const now = statSync(file).mtimeMs;
      const text = now === changed ? '' : readFileSync(file, 'utf8');
      if (isKeyList(text)) [keys, changed] = [parseKeys(text), now];
    } catch {
      return keys;
    }
    return keys;
  };
}

/** Keys are separated by commas or space. */
export const parseKeys = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

/** Whether a text is one or two keys that are valid in a header. */
export function isKeyList(text: string): boolean {
  const keys = parseKeys(text);
  return (keys.length === 1 || keys.length === 2) && keys.every((key) => /^[\x21-\x7e]+$/.test(key));
}
