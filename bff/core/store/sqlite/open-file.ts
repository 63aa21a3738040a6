import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { LRUCache } from 'lru-cache';
import { type Schema, refuseOther, schemaVersionOf } from '../migrations.ts';
import { busyMs, type Prepared, SharedCommits } from './shared-commits.ts';
import { makeFolder } from './sync.ts';

/* Opens a store that is a file, and adapts Kysely's SQLite to it. */

/** In `DATA_DIR`. */
export const storeFileName = 'deskside.db';

/**
 * Opens SQLite in a folder, which is created if needed. `memory`: nothing is written.
 * @throws when the file cannot be opened, is corrupt or of another build
 */
export const sqliteDialect = (where: { dataDir: string } | 'memory', schema: Schema) =>
  storeDialect(openSqlite(where === 'memory' ? ':memory:' : storeFile(where.dataDir), schema));

/** How long opening waits for another process that writes. */
const openingBusyMs = 1_000;

/**
 * The write-ahead log is copied into the file when it has this many pages, which are 8 MB. A page that was written
 * several times is copied once. More would block the process for longer at each copying. The log stays on the disk.
 */
const checkpointPages = 2_000;

/** A log that grew larger, during a long read of another process such as a backup, is cut to this size after its end. */
const logBytes = 16 * 1024 * 1024;

/** A file up to this size is checked completely at every start, which takes some tens of milliseconds. */
const smallBytes = 50 * 1024 * 1024;

/**
 * Whether a file that was closed must be checked before it is used. Checking a large file takes seconds. One that was
 * not closed still has its write-ahead log, and is always checked.
 */
const needsCheck = (file: string) => !existsSync(file) || statSync(file).size < smallBytes;

/** What SQLite's message leaves out. */
export function openingHint(code = ''): string {
  if (code === 'SQLITE_CANTOPEN' || code === 'SQLITE_READONLY')
    return `; user ${process.getuid?.()} must be able to write it, and into its folder`;
  return code.startsWith('SQLITE_IOERR') ? '; the disk is full or fails' : '';
}

function openSqlite(file: string, schema: Schema) {
  try {
    const hasLog = existsSync(file) && existsSync(`${realpathSync(file)}-wal`);
    const isToCheck = hasLog || needsCheck(file);
    const sqlite = new Database(file, { timeout: openingBusyMs });
    sqlite.pragma('journal_mode = WAL');
    // Each commit is on the disk before it is acknowledged.
    sqlite.pragma('synchronous = FULL');
    sqlite.pragma(`wal_autocheckpoint = ${checkpointPages}`);
    sqlite.pragma(`journal_size_limit = ${logBytes}`);
    sqlite.pragma('foreign_keys = ON');
    // Each savepoint, and each insert that may conflict, stores a copy of the changed pages. By default SQLite stores
    // it in a file.
    sqlite.pragma('temp_store = MEMORY');
    const result = isToCheck ? sqlite.pragma('quick_check(1)', { simple: true }) : 'ok';
    if (result !== 'ok') throw new Error(`it is damaged (${String(result)}); put a good copy in its place`);
    refuseOther(schemaVersionOf(sqlite, schema));
    sqlite.pragma(`busy_timeout = ${busyMs}`);
    return sqlite;
  } catch (cause) {
    const { code, message } = cause as Error & { code?: string };
    throw new Error(`cannot open ${file}: ${message}${openingHint(code)}`, { cause });
  }
}

function storeFile(dataDir: string): string {
  makeFolder(dataDir);
  const file = join(dataDir, storeFileName);
  const trace = !existsSync(file) && readdirSync(dataDir).find((name) => name.startsWith(storeFileName));
  if (trace)
    throw new Error(
      `${dataDir} has no ${storeFileName}, but ${trace}: put the store back, such as by the command restore, or begin with an empty folder`,
    );
  return file;
}

/** All migrations run in one transaction. When several processes start together, one of them runs the migrations. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Kysely's SQLite, with one connection. Each statement is prepared once. */
export const storeDialect = (database: Database.Database): Dialect => ({
  createAdapter: () => new TransactionalAdapter(),
  createDriver: () => new SharedCommits(database, prepareOnce(database)),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
});

/** More statements than the BFF has. Lists of different lengths result in different statements. */
const maxPrepared = 500;

/**
 * Preparing a statement takes longer than running most of them. Its rows are lists of values, since better-sqlite3 takes
 * longer to make an object than `rowOf` does.
 */
function prepareOnce(database: Database.Database): (sql: string) => Prepared {
  const prepared = new LRUCache<string, Prepared>({ max: maxPrepared });
  return (sql) => {
    const known = prepared.get(sql);
    if (known) return known;
    const statement = database.prepare<unknown[], unknown[]>(sql);
    const columns = statement.reader
      ? statement
          .raw()
          .columns()
          .map(({ name }) => name)
      : null;
    prepared.set(sql, { statement, columns });
    return { statement, columns };
  };
}
