import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Database } from 'better-sqlite3';
import { LoggableError } from '../../errors.ts';

const writeOut = promisify(fdatasync);

/** Ends the process as an unexpected error does, with a line in the log. */
function endProcess(error: Error): void {
  setImmediate(() => {
    throw error;
  });
}

/**
 * Brings what SQLite has committed to its write-ahead log onto the disk. A thread of Node's pool waits for the disk,
 * while SQLite itself would block the process. Needs `synchronous = NORMAL`, with which SQLite syncs the log only
 * before it copies the log into the file, and when it begins the log anew.
 *
 * A failed sync ends the process: the system may have dropped what it could not write, and a second sync would succeed
 * without it. The next start reads the log again and brings it to the disk (`open-file.ts`).
 */
export function createLogSync(database: Database, { sync = writeOut, onFailure = endProcess } = {}) {
  const [main] = database.pragma('database_list') as { file: string }[];
  let log: number | undefined;
  let failure: Error | undefined;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  function fail(cause: unknown): void {
    if (failure) return;
    const text = `the log of the store could not be written to the disk (${(cause as Error).message})`;
    // SQLite's own code for it.
    failure = Object.assign(new LoggableError(text, { cause }), { code: 'SQLITE_IOERR_FSYNC' });
    onFailure(failure);
  }

  async function run(): Promise<void> {
    try {
      // SQLite keeps this file until the database is closed.
      log ??= openSync(`${main!.file}-wal`, 'r+');
      await sync(log);
    } catch (cause) {
      fail(cause);
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
    /** @throws when a sync has failed */
    assertWorks(): void {
      if (failure) throw failure;
    },

    /** Resolves once all commits before this call are on the disk. Calls during a sync share the one after it. */
    async sync(): Promise<void> {
      if (database.memory) return;
      if (!running && !next) return start();
      next ??= running!.then(start, start);
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
