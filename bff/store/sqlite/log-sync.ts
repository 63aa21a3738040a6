import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';

const writeOut = promisify(fdatasync);

/**
 * Brings what SQLite has committed to its write-ahead log onto the disk. A thread of Node's pool waits for the disk,
 * while SQLite itself would block the process. Needs `synchronous = NORMAL`, with which SQLite syncs the log only
 * before it copies the log into the file.
 */
export function createLogSync(database: Pick<Database.Database, 'memory' | 'name'>) {
  let log: number | undefined;
  let failure: Error | undefined;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  async function run(): Promise<void> {
    try {
      // SQLite keeps this file until the database is closed.
      log ??= openSync(`${database.name}-wal`, 'r+');
      await writeOut(log);
    } catch (cause) {
      const message = `the log of the store cannot be written, so start Deskside again: ${String(cause)}`;
      failure ??= new Database.SqliteError(message, 'SQLITE_IOERR_FSYNC');
    }
    if (failure) throw failure;
  }

  function start(): Promise<void> {
    next = undefined;
    running = run().finally(() => {
      running = undefined;
    });
    return running;
  }

  return {
    /** @throws when a sync has failed: the system may have dropped what it could not write */
    assertWorks(): void {
      if (failure) throw failure;
    },

    /** Resolves once all commits before this call are on the disk. Calls during a sync share the one after it. */
    async sync(): Promise<void> {
      if (database.memory) return;
      if (!running) return start();
      next ??= running.then(start, start);
      return next;
    },

    /** Waits for the syncs that were begun. */
    async close(): Promise<void> {
      await (next ?? running)?.catch(() => {});
      if (log !== undefined) closeSync(log);
      log = undefined;
    },
  };
}
