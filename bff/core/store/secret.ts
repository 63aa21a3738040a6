import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sync } from './sqlite/sync.ts';

/** In characters. 32 random bytes in base64url have 43. */
export const minSecretLength = 32;

/**
 * The configured secret key, else the one kept in `dataDir`, which is created at the first start with mode 600. If it
 * is lost, all sessions and sealed columns are unreadable.
 * @throws when the kept key is too short
 */
export function loadSecretKey(configured: string | undefined, dataDir: string): string {
  const file = secretKeyFile(dataDir);
  if (!configured && !existsSync(file)) makeOnce(file, randomBytes(32).toString('base64url'));
  return readSecretKey(configured, dataDir)!;
}

export const secretKeyFile = (dataDir: string) => join(dataDir, 'secret-key');

/**
 * Like `loadSecretKey`, but never creates a key: null when there is none yet.
 * @throws when the kept key is too short
 */
export function readSecretKey(configured: string | undefined, dataDir: string): string | null {
  if (configured) return configured;
  const file = secretKeyFile(dataDir);
  if (!existsSync(file)) return null;
  const key = readFileSync(file, 'utf8').trim();
  if (key.length < minSecretLength) throw new Error(`${file} holds no key: restore it from your backup`);
  return key;
}

/** Writes atomically, and never replaces a file, even if another process starts at the same time. */
function makeOnce(file: string, content: string): void {
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, content, { mode: 0o600, flush: true });
  try {
    linkSync(draft, file);
    sync(dirname(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
}
