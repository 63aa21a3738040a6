import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Brings the content of a file onto the disk, so that a power cut does not lose it. */
export const syncFile = (file: string): void => sync(file, 'r+');

/** Brings the names in a folder onto the disk: a new or renamed file may be gone after a power cut without it. */
export function syncNames(folder: string): void {
  // Windows cannot open a folder, and writes names through by itself.
  if (process.platform !== 'win32') sync(folder, 'r');
}

function sync(path: string, flags: string): void {
  const handle = openSync(path, flags);
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
