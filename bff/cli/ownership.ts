import { chownSync, statSync } from 'node:fs';

/** A file that root made in a folder is for the folder's owner, since the server runs as that user. */
export function giveToOwner(folder: string, files: readonly string[]): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  for (const file of files) chownSync(file, uid, gid);
}
