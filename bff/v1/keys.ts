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

/** Reads the file again when it has changed; keeps the last known keys while it cannot be read. */
function keysOfFile(file: string): () => readonly string[] {
  let keys = parse(readFileSync(file, 'utf8'));
  if (keys.length === 0) throw new Error('SUPPORT_API_KEY_FILE holds no key');
  let changed = statSync(file).mtimeMs;
  return () => {
    try {
      const now = statSync(file).mtimeMs;
      if (now !== changed) {
        const next = parse(readFileSync(file, 'utf8'));
        if (next.length > 0) [keys, changed] = [next, now];
      }
    } catch {
      return keys;
    }
    return keys;
  };
}

const parse = (text: string) =>
  text
    .split(/[\s,]+/)
    .filter(Boolean)
    .slice(0, 2);
