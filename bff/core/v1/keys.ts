import { readFileSync, statSync } from 'node:fs';

/** The workspace API keys, one or two. The key that worked last comes first. */
export interface KeyRing {
  /** In the order to try. */
  current(): readonly string[];
  /** Remembers which key the service accepts. */
  prefer(key: string): void;
}

/** Reads the keys from the settings, or from a file that may change while the server runs. */
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

/** Reads the file again when it has changed. Keeps the last valid keys while the file cannot be read or has none. */
function keysOfFile(file: string): () => readonly string[] {
  const { version: firstVersion, text: first } = readFirst(file);
  let version = firstVersion;
  if (!isKeyList(first)) throw new Error('SUPPORT_API_KEY_FILE must hold one or two keys of printable ASCII');
  let keys = parseKeys(first);
  return () => {
    try {
      const now = versionOf(file);
      const text = now === version ? '' : readFileSync(file, 'utf8');
      if (isKeyList(text)) [keys, version] = [parseKeys(text), now];
    } catch {
      return keys;
    }
    return keys;
  };
}

/** @throws naming the setting and the file */
function readFirst(file: string): { version: string; text: string } {
  try {
    // Before the content, so that a change between the two is noticed next time.
    return { version: versionOf(file), text: readFileSync(file, 'utf8') };
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const why = code === 'EISDIR' ? 'a folder, which Docker makes where a mounted file is missing' : code;
    throw new Error(`SUPPORT_API_KEY_FILE: ${file} cannot be read (${why})`, { cause });
  }
}

/** Identifies the version of a file by more than its time, because a file that replaces it may have the same time. */
function versionOf(file: string): string {
  const { mtimeMs, ino, size } = statSync(file);
  return [mtimeMs, ino, size].join();
}

/** Keys are separated by commas or space. */
export const parseKeys = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

/** Whether a text is one or two keys that are valid in a header. */
export function isKeyList(text: string): boolean {
  const keys = parseKeys(text);
  return (keys.length === 1 || keys.length === 2) && keys.every((key) => /^[\x21-\x7e]+$/.test(key));
}
