import { setImmediate } from 'node:timers';
import type { Database } from 'better-sqlite3';

/**
 * Reads in one turn of the event loop share a transaction. SQLite locks and unlocks the file for each transaction,
 * which takes longer than most reads. The transaction ends before this process writes, and in the next turn at the
 * latest. So writes of another process on the same file may be seen one turn later.
 */
export function createReadGroups(database: Database) {
  // The transaction takes the lock with its first read.
  const begin = database.prepare('begin');
  const commit = database.prepare('commit');
  let isOpen = false;

  function end(): void {
    if (!isOpen) return;
    isOpen = false;
    // A failed read may have ended the transaction.
    if (database.inTransaction) commit.run();
  }

  return {
    /** To be called before each read that does not belong to a group of writes. */
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
