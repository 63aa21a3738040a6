import { realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Store } from '../open.ts';
import { storeFileName } from './open-file.ts';

const everyMs = 5_000;

/** Which file has this name now; undefined when there is none. */
const inodeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.ino;

/**
 * Calls back once if the store's file or its write-ahead log is removed or replaced while this process has it open: what
 * the process writes would be lost at its end. What the log has is brought into the file first. To be called after a
 * write. Returns the function that stops it.
 */
export function watchFiles(store: Store, dataDir: string, onGone: () => void): () => void {
  // The log is beside the file that a link names.
  const file = realpathSync(join(dataDir, storeFileName));
  const files = [file, `${file}-wal`];
  const opened = files.map(inodeOf);

  async function check(): Promise<void> {
    if (files.every((each, nth) => inodeOf(each) === opened[nth])) return;
    clearInterval(timer);
    await sql`PRAGMA wal_checkpoint(TRUNCATE)`.execute(store).catch(() => {});
    onGone();
  }
  const timer = setInterval(() => void check(), everyMs).unref();
  return () => clearInterval(timer);
}
