import { closeSync, fsyncSync, openSync } from 'node:fs';

/**
 * Brings the names in a folder onto the disk: without it, a new or renamed file may be gone after a power cut.
 * @throws when the disk fails
 */
export function syncNames(folder: string): void {
  // Windows cannot open a folder, and writes names through by itself.
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } catch (error) {
    // Some file systems of networks cannot do it.
    if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error;
  } finally {
    closeSync(handle);
  }
}
