import { sql } from 'kysely';
import type { Store } from '../store/open.ts';

const events = ['insert', 'update', 'delete'] as const;

/**
 * Fills the disk under a store: no page can be added to its file, and every write asks for one. SQLite itself then says
 * SQLITE_FULL; reads go on. The answer makes room again.
 */
export async function fillDisk(store: Store): Promise<() => Promise<void>> {
  const run = (text: string) => sql.raw(text).execute(store);
  const tables = (await store.introspection.getTables()).map(({ name }) => name);
  const triggers = tables.flatMap((table) =>
    events.map((event) => ({ table, event, name: `full_${event}_${table}` })),
  );
  await run('CREATE TABLE filler (room BLOB)');
  // Of this connection alone.
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
