import { join } from 'node:path';
import Database from 'better-sqlite3';

/**
 * Marks this process as one that uses the store in `dataDir`, until it ends, however it ends: the mark is a lock of the
 * operating system. `wasAlone`: no other process used it at this moment, so whatever one of them held is free.
 */
export function enterStore(dataDir: string): { wasAlone: boolean; leave: () => void } {
  const mark = new Database(join(dataDir, 'in-use.db'), { timeout: 0 });
  const wasAlone = locksAlone(mark);
  mark.pragma('busy_timeout = 2000');
  // A read that never ends: any number of processes can hold one, and none can then lock the file alone.
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
