import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Characters; 32 random bytes in base64url are 43. */
export const minSecretLength = 32;

/**
 * The configured secret key, else the one kept in `dataDir`, made at the first start with mode 600.
 * Losing it makes all sessions and sealed columns unreadable.
 * @throws when the kept key is shorter than a key can be
 */
export function loadSecretKey(configured: string | undefined, dataDir: string): string {
  const file = secretKeyFile(dataDir);
  if (!configured) makeOnce(file, randomBytes(32).toString('base64url'));
  return readSecretKey(configured, dataDir)!;
}

export const secretKeyFile = (dataDir: string) => join(dataDir, 'secret-key');

/**
 * As `loadSecretKey`, but makes none: null when there is none yet.
 * @throws when the kept key is shorter than a key can be
 */
export function readSecretKey(configured: string | undefined, dataDir: string): string | null {
  if (configured) return configured;
  const file = secretKeyFile(dataDir);
  if (!existsSync(file)) return null;
  const key = readFileSync(file, 'utf8').trim();
  if (key.length < minSecretLength) throw new Error(`${file} holds no key: restore it from your backup`);
  return key;
}

/** Atomic, and never over an existing file, even if another process starts at the same time. */
function makeOnce(file: string, content: string): void {
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, content, { mode: 0o600, flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
}
