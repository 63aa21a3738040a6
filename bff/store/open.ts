import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Kysely, Migrator, SqliteDialect } from 'kysely';
import { migrations } from './migrations/index.ts';
import type { Tables } from './schema.ts';

export type Store = Kysely<Tables>;

/**
 * Opens the store, made or migrated as needed. `memory` is for tests: nothing is written.
 * @throws when the file cannot be opened, is corrupt, or a migration fails
 */
export async function openStore(where: { dataDir: string } | 'memory'): Promise<Store> {
  const sqlite = new Database(where === 'memory' ? ':memory:' : storeFile(where.dataDir));
  sqlite.pragma('journal_mode = WAL');
  sqlite.pragma('synchronous = FULL');
  sqlite.pragma('foreign_keys = ON');
  sqlite.pragma('busy_timeout = 5000');
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: sqlite }) });
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error) {
    await db.destroy();
    throw error;
  }
  return db;
}

function storeFile(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  return join(dataDir, 'deskside.db');
}
