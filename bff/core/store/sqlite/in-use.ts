import { join } from 'node:path';
import Database from 'better-sqlite3';

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
