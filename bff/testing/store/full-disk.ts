import { sql } from 'kysely';
import { isPostgres } from '../../core/store/dialect.ts';
import type { Store } from '../../core/store/open.ts';

const events = ['insert', 'update', 'delete'] as const;

type Run = (text: string) => Promise<unknown>;

/** The disk of a database server cannot be filled for one database, so triggers raise its error. */
async function refuseWrites(tables: readonly string[], run: Run): Promise<() => Promise<void>> {
  await run(
    `CREATE OR REPLACE FUNCTION say_full() RETURNS trigger AS $$ BEGIN RAISE 'full' USING ERRCODE = 'disk_full'; END $$ LANGUAGE plpgsql`,
  );
  const name = 'full_disk';
  for (const table of tables)
    await run(
      `CREATE TRIGGER ${name} BEFORE INSERT OR UPDATE OR DELETE ON ${table} EXECUTE FUNCTION say_full()`,
    );
  return async () => {
    for (const table of tables) await run(`DROP TRIGGER ${name} ON ${table}`);
  };
}

/**
 * Fills the disk under a store: no page can be added to its file, and every write needs one. SQLite itself reports
 * SQLITE_FULL, and reads still work. Returns a function that frees the disk.
 */
export async function fillDisk(store: Store): Promise<() => Promise<void>> {
  const run = (text: string) => sql.raw(text).execute(store);
  const tables = (await store.introspection.getTables()).map(({ name }) => name);
  if (isPostgres(store)) return refuseWrites(tables, run);
  const triggers = tables.flatMap((table) =>
    events.map((event) => ({ table, event, name: `full_${event}_${table}` })),
  );
  await run('CREATE TABLE filler (room BLOB)');
  // Temporary triggers, for this connection only.
  for (const { table, event, name } of triggers)
    await run(
      `CREATE TEMP TRIGGER ${name} BEFORE ${event} ON main.${table} BEGIN INSERT INTO filler VALUES (zeroblob(1000000)); END`,
    );
  await run('PRAGMA max_page_count = 1');
  return async () => {
    await run('PRAGMA max_page_count = 1000000');
    for (const { name } of triggers) await run(`DROP TRIGGER ${name}`);
    await run('DROP TABLE filler');
  };
}
