import { chownSync, constants, copyFileSync, existsSync, linkSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { extras } from '../extras/index.ts';
import { makeFolder, sync } from '../core/store/sqlite/sync.ts';

/*
 * The folders in DATA_DIR that belong to the store beside its file. A backup has each beside its own file, under its name:
 * `backup.db` and `backup.db.files`. Files in them never change, so that a backup on the same disk takes no space.
 */

/** Such as `files`. */
const folders = extras.flatMap((extra) => extra.folders ?? []);

/** What is in subfolders of two characters. Others have what is not kept yet. */
const isKept = (part: string) => /^[\w-]{2}$/.test(part);

function linkOrCopy(from: string, to: string, mayLink: boolean): void {
  if (mayLink)
    try {
      linkSync(from, to);
      return;
    } catch {
      // Another disk, or one without links.
    }
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
  sync(to);
}

/** Copies what is not there yet. Returns the number of files. */
function copyFolder(
  from: string,
  to: string,
  { mayLink, owner }: { mayLink: boolean; owner?: { uid: number; gid: number } | undefined },
): number {
  const make = (path: string) => {
    makeFolder(path);
    if (owner) chownSync(path, owner.uid, owner.gid);
  };
  let count = 0;
  make(to);
  for (const part of readdirSync(from, { withFileTypes: true })) {
    if (!part.isDirectory() || !isKept(part.name)) continue;
    make(join(to, part.name));
    for (const file of readdirSync(join(from, part.name), { withFileTypes: true })) {
      const target = join(to, part.name, file.name);
      // SECURITY: a link in a backup could lead anywhere.
      if (!file.isFile() || existsSync(target)) continue;
      linkOrCopy(join(from, part.name, file.name), target, mayLink);
      if (owner) chownSync(target, owner.uid, owner.gid);
      count += 1;
    }
    sync(join(to, part.name));
  }
  return count;
}

/** Copies them to a backup whose file is `backup`. Returns what was written, for the operator. */
export const backUpFolders = (dataDir: string, backup: string): string[] =>
  folders.flatMap((name) => {
    const [from, to] = [join(dataDir, name), `${backup}.${name}`];
    if (!existsSync(from)) return [];
    return [`${to}: ${copyFolder(from, to, { mayLink: true })} files`];
  });

/**
 * Copies what a backup has of them into `folder`, for that owner. SECURITY: nobody else can change `folder` yet, so that
 * root follows no link of theirs.
 */
export function fetchFolders(
  backup: string,
  folder: string,
  owner: { uid: number; gid: number } | undefined,
): void {
  for (const name of folders)
    if (existsSync(`${backup}.${name}`))
      copyFolder(`${backup}.${name}`, join(folder, name), { mayLink: false, owner });
}

/** Puts what `fetchFolders` has copied into its place. What is there already stays. Returns what was done. */
export const placeFolders = (folder: string, dataDir: string): string[] =>
  folders.flatMap((name) => {
    const [from, to] = [join(folder, name), join(dataDir, name)];
    return existsSync(from) ? [`${to}: ${copyFolder(from, to, { mayLink: true })} files came back`] : [];
  });
