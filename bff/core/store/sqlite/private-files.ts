import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The name prefixes of the files that a process creates in `dataDir`. */
const ours = ['deskside.db', 'limits.db', 'in-use.db', 'secret-key'];
const othersMask = 0o077;

/**
 * Removes the rights of other users to the store's files, also for files that this process creates later. The folder
 * may already exist with any mode.
 * @returns the files whose rights this process may not change
 */
export function keepFilesPrivate(dataDir: string): string[] {
  process.umask(othersMask);
  return filesOf(dataDir).filter((file) => {
    try {
      const { mode } = statSync(file);
      if ((mode & othersMask) !== 0) chmodSync(file, mode & ~othersMask & 0o777);
      return false;
    } catch (error) {
      return !isGone(error);
    }
  });
}

/** The files that others on this machine may read. */
export const sharedFiles = (dataDir: string): string[] =>
  filesOf(dataDir).filter((file) => (statSync(file).mode & othersMask) !== 0);

function filesOf(dataDir: string): string[] {
  try {
    const names = readdirSync(dataDir).filter((name) => ours.some((start) => name.startsWith(start)));
    return names.map((name) => join(dataDir, name));
  } catch (error) {
    if (!isGone(error)) throw error;
    return [];
  }
}

const isGone = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';
