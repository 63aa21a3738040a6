import { existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Kysely } from 'kysely';
import type { StorePlace } from './open.ts';
import { type SchemaVersion, schemaVersionOf, versionOf } from './schema-version.ts';
import type { Tables } from './schema.ts';
import { storeFileName } from './sqlite/open-file.ts';

export interface StoreInspection extends SchemaVersion {
  /** A value that was sealed with the secret key of this store. Null for a store that was never used. */
  sealed: string | null;
}

/**
 * Inspects the file of a store, and changes nothing in it.
 * @throws when it cannot be opened or is damaged
 */
export function inspectStore(file: string): StoreInspection {
  const sqlite = new Database(file, { readonly: true, fileMustExist: true, timeout: 2_000 });
  try {
    const integrity = sqlite.pragma('quick_check(1)', { simple: true });
    if (integrity !== 'ok') throw new Error(String(integrity));
    const version = schemaVersionOf(sqlite);
    const isSealed = !!sqlite.prepare("SELECT 1 FROM sqlite_master WHERE name = 'seal_check'").get();
    const sealed = isSealed
      ? sqlite.prepare<[], string>('SELECT sealed FROM seal_check').pluck().get()
      : undefined;
    return { ...version, sealed: sealed ?? null };
  } finally {
    sqlite.close();
  }
}

/** Inspects the store at a place, and changes nothing. Null when there is no store yet. */
export async function inspectPlace(place: Exclude<StorePlace, 'memory'>): Promise<StoreInspection | null> {
  if ('dataDir' in place) {
    const file = join(place.dataDir, storeFileName);
    return existsSync(file) ? inspectStore(file) : null;
  }
  const { migrationsOf, openPool, postgresDialect } = await import('./postgres/connections.ts');
  const db = new Kysely<Tables>({ dialect: postgresDialect(openPool(place.databaseUrl)) });
  try {
    const done = await migrationsOf(db);
    if (done.length === 0) return null;
    const row = await db.selectFrom('seal_check').select('sealed').executeTakeFirst();
    return { ...versionOf(done), sealed: row?.sealed ?? null };
  } finally {
    await db.destroy();
  }
}
