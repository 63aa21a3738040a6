import { randomBytes, randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Characters; 32 random bytes in base64url are 43. */
export const minSecretLength = 32;

/**
 * The configured secret key, else the one kept in `dataDir`, made at the first start with mode 600.
 * Losing it makes all sessions and sealed columns unreadable.
 * @throws when the kept key is shorter than a key can be
 */
export function loadSecretKey(configured: string | undefined, dataDir: string): string {
  if (configured) return configured;
  const file = join(dataDir, 'secret-key');
  makeOnce(file, randomBytes(32).toString('base64url'));
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
