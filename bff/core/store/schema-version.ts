import type { Database } from 'better-sqlite3';
import type { Schema } from './migrations.ts';

/** The schema of a store compared with the one of this build, by the names of migrations. */
export interface SchemaVersion {
  /** Migrations of this build that were not run yet. */
  pending: string[];
  /** Migrations of another build that this one does not know. */
  unknown: string[];
}

/** `done`: the names of the migrations that were run. */
export const versionOf = (done: readonly string[], { migrations }: Schema): SchemaVersion => ({
  pending: Object.keys(migrations).filter((name) => !done.includes(name)),
  unknown: done.filter((name) => !(name in migrations)),
});

export function schemaVersionOf(sqlite: Database, schema: Schema): SchemaVersion {
  const isNew = !sqlite.prepare("SELECT 1 FROM sqlite_master WHERE name = 'kysely_migration'").get();
  return versionOf(
    isNew ? [] : sqlite.prepare<[], string>('SELECT name FROM kysely_migration').pluck().all(),
    schema,
  );
}

/** @throws when another build has changed the schema */
export function refuseOther({ unknown }: SchemaVersion): void {
  if (unknown.length > 0)
    throw new Error(
      `the store was made by another version of Deskside (${unknown.join(', ')}): use that version, or restore a backup of this one`,
    );
}
