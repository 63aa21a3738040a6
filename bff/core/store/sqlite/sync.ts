import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/* Brings onto the disk what a power cut may take. It knows no file by name. */

/**
 * Brings the bytes of a file, or the names in a folder, onto the disk. A new or renamed file may be gone after a power cut
 * until its folder is synced, too.
 * @throws when the disk fails
 */
export function sync(path: string): void {
  // Windows cannot open a folder, and writes names through by itself.
  if (process.platform === 'win32') return;
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } catch (error) {
    // Some file systems of networks cannot do it.
    if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error;
  } finally {
    closeSync(handle);
  }
}

/**
 * Makes a folder for this user alone, with those that it is in, unless it is there. Their names are on the disk then.
 * @throws when that fails
 */
export function makeFolder(folder: string): void {
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = resolve(folder); made.length >= resolve(first).length; made = dirname(made))
    sync(dirname(made));
}
