import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, opendir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkedId, type FileStore, StoreAway } from './store.ts';

/* Keeps files in a folder of this machine, which one process at a time uses. */

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'UNKNOWN';
const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT';

/** Waits until the disk has a file, or the names in a folder. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Files that arrive, beside those that are kept: so that one becomes the other by its name alone. */
export const arrivalsIn = (folder: string): string => join(folder, 'tmp');

export function createFolderStore(folder: string): FileStore {
  const pathOf = (id: string) => join(folder, checkedId(id).slice(-2), id);
  /** Folders whose own names are on the disk. Another upload, or an earlier process, may have made one and not synced it. */
  const synced = new Set<string>();
  const away = (error: unknown) => new StoreAway(codeOf(error), error);

  return {
    location: folder,

    async put(id, path) {
      const to = pathOf(id);
      const part = dirname(to);
      try {
        await mkdir(part, { recursive: true, mode: 0o700 });
        await rename(path, to);
        // In this order most file systems write once. A row names the file already, so none is left over by a crash.
        await sync(to);
        await sync(part);
        if (synced.has(part)) return;
        await sync(folder);
        await sync(dirname(folder));
        synced.add(part);
      } catch (error) {
        throw away(error);
      }
    },

    async open(id, range) {
      const handle = await open(pathOf(id), 'r').catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw away(error);
      });
      if (!handle) return null;
      const part = range ? { start: range.first, end: range.last } : {};
      return createReadStream('', { fd: handle, ...part });
    },

    async remove(id) {
      try {
        await rm(pathOf(id), { force: true });
      } catch (error) {
        throw away(error);
      }
    },

    async *list() {
      for await (const part of await opendir(folder).catch(() => [])) {
        if (!/^.{2}$/.test(part.name)) continue;
        for await (const file of await opendir(join(folder, part.name))) yield file.name;
      }
    },

    async check() {
      const probe = join(folder, `check-${randomUUID()}`);
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFile(probe, 'check', { mode: 0o600, flush: true });
        return null;
      } catch (error) {
        return `${folder} cannot be written (${codeOf(error)})`;
      } finally {
        await rm(probe, { force: true });
      }
    },
  };
}
