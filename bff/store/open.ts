import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Kysely, Migrator } from 'kysely';
import { measureStatements, type StatementMetrics } from './measure.ts';
import { migrations } from './migrations/index.ts';
import { refuseNewer, schemaVersionOf } from './schema-version.ts';
import type { Tables } from './schema.ts';
import type { Seal } from './seal.ts';
import { GroupCommitDialect } from './sqlite-dialect.ts';

export type Store = Kysely<Tables>;

/** In `DATA_DIR`. */
export const storeFileName = 'deskside.db';

/**
 * Opens the store, made or migrated as needed. `memory` is for tests: nothing is written.
 * @throws when the file cannot be opened, is corrupt or of a newer build, or a migration fails
 */
export async function openStore(
  where: { dataDir: string } | 'memory',
  metrics?: StatementMetrics,
): Promise<Store> {
  const file = where === 'memory' ? ':memory:' : storeFile(where.dataDir);
  const sqlite = openSqlite(file);
  const db = new Kysely<Tables>({
    dialect: new GroupCommitDialect(sqlite),
    ...(metrics && { log: measureStatements(metrics) }),
  });
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error) {
    await db.destroy();
    throw error;
  }
  return db;
}

/**
 * Checks that `seal` can open what is in this store.
 * @throws when the store was sealed under another secret key
 */
export async function checkSeal(store: Store, seal: Seal): Promise<void> {
  const row = await store.selectFrom('seal_check').select('sealed').executeTakeFirst();
  if (!row)
    await store
      .insertInto('seal_check')
      .values({ sealed: seal.seal('seal_check.sealed', true) })
      .execute();
  else if (!seal.open('seal_check.sealed', row.sealed))
    throw new Error(
      'the store was made with another SECRET_KEY: give that one, or start with an empty DATA_DIR',
    );
}

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

/** A fifth of SQLite's own: a write that reaches it moves the log into the file, and every request waits meanwhile. */
const checkpointPages = 200;

function openSqlite(file: string) {
  try {
    const isToCheck = needsCheck(file);
    const sqlite = new Database(file, { timeout: openingBusyMs });
    sqlite.pragma('journal_mode = WAL');
    sqlite.pragma('synchronous = FULL');
    sqlite.pragma('foreign_keys = ON');
    // Each savepoint and each insert that may conflict keeps a copy of the pages that it changes: by default in a file.
    sqlite.pragma('temp_store = MEMORY');
    sqlite.pragma(`wal_autocheckpoint = ${checkpointPages}`);
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
