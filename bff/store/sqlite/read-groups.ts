import { setImmediate } from 'node:timers';
import type { Database } from 'better-sqlite3';

/**
 * Reads that come in one turn of the event loop share a transaction, since SQLite locks and unlocks a file for each
 * transaction, which takes longer than most reads. It ends before this process writes, and at the latest with the next
 * turn. So writes of another process on the same file may be seen one turn later.
 */
export function createReadGroups(database: Database) {
  // It takes the lock with the first read.
  const begin = database.prepare('begin');
  const commit = database.prepare('commit');
  let isOpen = false;

  function end(): void {
    if (!isOpen) return;
    isOpen = false;
    // A read that fails badly may have ended it.
    if (database.inTransaction) commit.run();
  }

  return {
    /** To be called before each read. A read while something is written belongs to that transaction. */
    join(): void {
      if (database.inTransaction) return;
      begin.run();
      isOpen = true;
      setImmediate(end);
    },

    /** To be called before anything is written. */
    end,
  };
}
