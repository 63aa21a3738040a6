import { constants } from 'node:fs';
import { open, opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { bounds } from './bounds.ts';

/** A file of the folder, as it was when it was listed. */
export interface FoundFile {
  /** Below the folder, with `/` on every system. */
  path: string;
  bytes: number;
  modifiedMs: number;
}

const maxFiles = bounds.articles + bounds.images;

/**
 * The files of a folder and its subfolders, in the order of their paths. SECURITY: links are left out, so that
 * nothing outside of the folder is found. Names that begin with a dot are left out, too.
 */
export async function listFiles(dir: string): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  async function listBelow(below: string, depth: number): Promise<void> {
    for await (const entry of await opendir(join(dir, below))) {
      if (found.length >= maxFiles) return;
      const path = below ? `${below}/${entry.name}` : entry.name;
      if (entry.name.startsWith('.')) continue;
      if (entry.isDirectory() && depth < bounds.depth) await listBelow(path, depth + 1);
      if (!entry.isFile()) continue;
      const { size, mtimeMs } = await stat(join(dir, path));
      found.push({ path, bytes: size, modifiedMs: mtimeMs });
    }
  }
  await listBelow('', 0);
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Equal for two listings exactly when no file was added, removed or changed. */
export const fingerprintOf = (files: readonly FoundFile[]): string =>
  files.map(({ path, bytes, modifiedMs }) => `${path} ${bytes} ${modifiedMs}`).join('\n');

/**
 * The bytes of a file, or null when it is larger than `maxBytes`.
 * @throws when it cannot be read, or when a link has replaced it
 */
export async function readBytes(dir: string, path: string, maxBytes: number): Promise<Buffer | null> {
  const file = await open(join(dir, path), constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const { size } = await file.stat();
    return size > maxBytes ? null : await file.readFile();
  } finally {
    await file.close();
  }
}
