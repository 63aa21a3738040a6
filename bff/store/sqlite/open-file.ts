import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { refuseNewer, schemaVersionOf } from '../migrations/schema-version.ts';
import { GroupCommitDialect, type StatementLog } from './group-commit-dialect.ts';

/** In `DATA_DIR`. */
export const storeFileName = 'deskside.db';

/**
 * SQLite in a folder, which is made as needed; `memory`: nothing is written.
 * @throws when the file cannot be opened, is corrupt or of a newer build
 */
export const sqliteDialect = (where: { dataDir: string } | 'memory', log?: StatementLog) =>
  new GroupCommitDialect(openSqlite(where === 'memory' ? ':memory:' : storeFile(where.dataDir)), log);

/** Longer while opening, since no requests are served yet. */
const openingBusyMs = 500;
/** SQLite blocks the process while it waits; the dialect does the longer waits without blocking. */
const busyMs = 5;

/** Checked whole at every start: that takes some tens of milliseconds. */
const smallBytes = 50 * 1024 * 1024;

/**
 * Whether the file must be checked before it is used. A large one takes seconds, so only where it was not closed: its
 * write-ahead log is still there.
 */
const needsCheck = (file: string) =>
  !existsSync(file) || existsSync(`${file}-wal`) || statSync(file).size < smallBytes;

function openSqlite(file: string) {
  try {
    const isToCheck = needsCheck(file);
    const sqlite = new Database(file, { timeout: openingBusyMs });
    sqlite.pragma('journal_mode = WAL');
    sqlite.pragma('synchronous = FULL');
    sqlite.pragma('foreign_keys = ON');
    // Each savepoint and each insert that may conflict keeps a copy of the pages that it changes: by default in a file.
    sqlite.pragma('temp_store = MEMORY');
    const result = isToCheck ? sqlite.pragma('quick_check(1)', { simple: true }) : 'ok';
    if (result !== 'ok') throw new Error(`it is damaged (${String(result)}); put a good copy in its place`);
    refuseNewer(schemaVersionOf(sqlite));
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
