import { chmodSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { stat } from 'node:fs/promises';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import type { Store } from '../open.ts';
import { storeFileName } from './open-file.ts';
import { isPostgres } from '../dialect.ts';

/* The files in `DATA_DIR`: who may read them, which processes use them, their sizes, and whether they are still there. */

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

/**
 * Marks this process as a user of the store in `dataDir` until the process ends or crashes. The mark is a file lock of
 * the operating system. `wasAlone`: no other process uses the store, so the leases in it belong to no running process.
 */
export function enterStore(dataDir: string): { wasAlone: boolean; leave: () => void } {
  const mark = new Database(join(dataDir, 'in-use.db'), { timeout: 0 });
  const wasAlone = locksAlone(mark);
  mark.pragma('busy_timeout = 2000');
  // A read transaction that never ends. Many processes can have one. While any process has one, no process gets the
  // exclusive lock.
  mark.exec('BEGIN; SELECT count(*) FROM sqlite_master');
  return { wasAlone, leave: () => mark.close() };
}

function locksAlone(mark: Database.Database): boolean {
  try {
    mark.exec('BEGIN EXCLUSIVE; COMMIT');
    return true;
  } catch (error) {
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error;
    return false;
  }
}

const watchEveryMs = 5_000;

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
  const timer = setInterval(() => void check(), watchEveryMs).unref();
  return () => clearInterval(timer);
}

/** Bytes of the database and of its write-ahead log; nothing for a store in memory or on a server. */
export async function fileSizes(store: Store): Promise<{ file: 'database' | 'wal'; bytes: number }[]> {
  if (isPostgres(store)) return [];
  const { rows } = await sql<{ file: string }>`
    SELECT file FROM pragma_database_list WHERE name = 'main'
  `.execute(store);
  const path = rows[0]?.file;
  if (!path) return [];
  const bytesOf = async (name: string) => (await stat(name).catch(() => null))?.size ?? 0;
  return [
    { file: 'database', bytes: await bytesOf(path) },
    { file: 'wal', bytes: await bytesOf(`${path}-wal`) },
  ];
}
