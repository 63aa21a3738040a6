import { chownSync, statSync } from 'node:fs';

/** Gives files that root created to the owner of the folder, since the server runs as that user. */
export function giveToOwner(folder: string, files: readonly string[]): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  for (const file of files) chownSync(file, uid, gid);
}
