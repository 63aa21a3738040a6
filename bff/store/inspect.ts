import Database from 'better-sqlite3';
import { type SchemaVersion, schemaVersionOf } from './schema-version.ts';

export interface StoreInspection extends SchemaVersion {
  /** What was sealed with the secret key of this store; null for a store that was never used. */
  sealed: string | null;
}

/**
 * Looks at the file of a store, and changes nothing in it.
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
