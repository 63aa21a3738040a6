import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { refuseOther, schemaVersionOf } from '../schema-version.ts';
import { GroupCommitDialect, type StatementLog } from './group-commit-dialect.ts';

/** In `DATA_DIR`. */
export const storeFileName = 'deskside.db';

/**
 * Opens SQLite in a folder, which is created if needed. `memory`: nothing is written.
 * @throws when the file cannot be opened, is corrupt or of another build
 */
export const sqliteDialect = (where: { dataDir: string } | 'memory', log?: StatementLog) =>
  new GroupCommitDialect(openSqlite(where === 'memory' ? ':memory:' : storeFile(where.dataDir)), log);

/** Longer while opening, since no requests are served yet. */
const openingBusyMs = 500;
/** Short, because SQLite blocks the process while it waits. The dialect waits longer without blocking. */
const busyMs = 5;

/**
 * The write-ahead log is copied into the file when it has this many pages, which are 8 MB. A page that was written
 * several times is copied once. More would block the process for longer at each copying. The log stays on the disk.
 */
const checkpointPages = 2_000;

/** A file up to this size is checked completely at every start, which takes some tens of milliseconds. */
const smallBytes = 50 * 1024 * 1024;

/**
 * Whether a file that was closed must be checked before it is used. Checking a large file takes seconds. One that was
 * not closed still has its write-ahead log, and is always checked.
 */
const needsCheck = (file: string) => !existsSync(file) || statSync(file).size < smallBytes;

/**
 * Copies the log of a process that was not ended properly into the file. That process may have ended because its log
 * could not be brought to the disk (`log-sync.ts`), and what is added to such a log could be lost with it.
 * @throws when the disk fails
 */
function saveLog(sqlite: Database.Database): void {
  try {
    // Does not wait for other processes.
    sqlite.pragma('wal_checkpoint(PASSIVE)');
  } catch (error) {
    // A full disk does not lose the log, and customers can read meanwhile.
    if ((error as { code?: unknown }).code !== 'SQLITE_FULL') throw error;
  }
}

function openSqlite(file: string) {
  try {
    const hasLog = existsSync(file) && existsSync(`${realpathSync(file)}-wal`);
    const isToCheck = hasLog || needsCheck(file);
    const sqlite = new Database(file, { timeout: openingBusyMs });
    sqlite.pragma('journal_mode = WAL');
    // The commit groups bring the log to the disk (`log-sync.ts`).
    sqlite.pragma('synchronous = NORMAL');
    sqlite.pragma(`wal_autocheckpoint = ${checkpointPages}`);
    sqlite.pragma('foreign_keys = ON');
    // Each savepoint, and each insert that may conflict, stores a copy of the changed pages. By default SQLite stores
    // it in a file.
    sqlite.pragma('temp_store = MEMORY');
    const result = isToCheck ? sqlite.pragma('quick_check(1)', { simple: true }) : 'ok';
    if (result !== 'ok') throw new Error(`it is damaged (${String(result)}); put a good copy in its place`);
    refuseOther(schemaVersionOf(sqlite));
    if (hasLog) saveLog(sqlite);
    sqlite.pragma(`busy_timeout = ${busyMs}`);
    return sqlite;
  } catch (cause) {
    throw new Error(`cannot open ${file}: ${(cause as Error).message}`, { cause });
  }
}

function storeFile(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  return join(dataDir, storeFileName);
}
