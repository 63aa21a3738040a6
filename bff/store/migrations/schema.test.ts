import Database, { type Database as Sqlite } from 'better-sqlite3';
import { Kysely, Migrator, SqliteDialect } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrations } from './index.ts';

interface Column {
  name: string;
  type: string;
  notnull: number;
  dflt_value: string | null;
  pk: number;
}

const names = Object.keys(migrations);
const steps = names.slice(1).map((name, nth) => ({ before: names[nth]!, name }));

let sqlite: Sqlite;
let db: Kysely<unknown>;
beforeEach(() => {
  sqlite = new Database(':memory:');
  db = new Kysely({ dialect: new SqliteDialect({ database: sqlite }) });
});
afterEach(() => db.destroy());

/** Migrates as a start of that build does. */
async function migrateTo(name: string): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  expect((await migrator.migrateTo(name)).error).toBeUndefined();
}

/** The SQL of all objects, by type and name, without spaces and quotes. */
function schema(): Map<string, string> {
  const rows = sqlite
    .prepare<[], { type: string; name: string; sql: string | null }>(
      'SELECT type, name, sql FROM sqlite_master',
    )
    .all();
  return new Map(
    rows.map(({ type, name, sql }) => [`${type} ${name}`, (sql ?? '').replaceAll(/[\s"]+/g, '')]),
  );
}

function tables(): Map<string, Column[]> {
  const of = (table: string) =>
    sqlite
      .prepare<[string], Column>('SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info(?)')
      .all(table);
  const all = sqlite.prepare<[], string>("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all();
  return new Map(all.map((table) => [table, of(table)]));
}

/** Rules that all builds check before they write. With a single writer, their indexes never refuse a row. */
const checkedBeforeWrite = new Set(['operations_one_underway', 'operations_one_of_equals']);

/** The columns of each unique index, as `table: column, …`. Null is an expression. */
function uniqueIndexes(): { table: string; columns: (string | null)[] }[] {
  return [...tables().keys()].flatMap((table) =>
    sqlite
      .prepare<[string], string>('SELECT name FROM pragma_index_list(?) WHERE "unique" = 1')
      .pluck()
      .all(table)
      .filter((index) => !checkedBeforeWrite.has(index))
      .map((index) => ({
        table,
        columns: sqlite
          .prepare<[string], string | null>('SELECT name FROM pragma_index_info(?)')
          .pluck()
          .all(index),
      })),
  );
}

it.each(names)('a store that was created at %s and migrated has the schema of a new one', async (name) => {
  await migrateTo(name);
  await migrateTo(names.at(-1)!);
  const migrated = schema();
  await db.destroy();
  sqlite = new Database(':memory:');
  db = new Kysely({ dialect: new SqliteDialect({ database: sqlite }) });
  await migrateTo(names.at(-1)!);
  expect(migrated).toEqual(schema());
});

describe.each(steps)('after $name the previous build, which may still run,', ({ before, name }) => {
  it('finds every table, with every column unchanged', async () => {
    await migrateTo(before);
    const old = tables();
    await migrateTo(name);
    const now = tables();
    for (const [table, columns] of old) expect(now.get(table)).toEqual(expect.arrayContaining(columns));
  });

  it('can insert: a column that it does not know may be null, or has a default', async () => {
    await migrateTo(before);
    const old = tables();
    await migrateTo(name);
    const needed = [...old].flatMap(([table, columns]) =>
      tables()
        .get(table)!
        .filter((column) => !columns.some((known) => known.name === column.name))
        .filter(({ notnull, dflt_value }) => notnull === 1 && dflt_value === null)
        .map((column) => `${table}.${column.name}`),
    );
    expect(needed).toEqual([]);
  });

  it('can delete: new rows that refer to what it deletes are deleted too', async () => {
    await migrateTo(before);
    const old = tables();
    await migrateTo(name);
    const holding = [...tables().keys()]
      .filter((table) => !old.has(table))
      .flatMap((table) =>
        sqlite
          .prepare<[string], { table: string; on_delete: string }>(
            'SELECT "table", on_delete FROM pragma_foreign_key_list(?)',
          )
          .all(table),
      )
      .filter((key) => old.has(key.table) && key.on_delete !== 'CASCADE');
    expect(holding).toEqual([]);
  });

  it('meets no new rules: a new unique index of its tables includes a column that it leaves null', async () => {
    await migrateTo(before);
    const [old, oldIndexes] = [tables(), uniqueIndexes()];
    await migrateTo(name);
    const stricter = uniqueIndexes()
      .filter(({ table }) => old.has(table))
      .filter((index) => !oldIndexes.some((each) => JSON.stringify(each) === JSON.stringify(index)))
      .filter(({ table, columns }) => {
        const known = new Set(old.get(table)!.map((column) => column.name));
        const leftNull = tables()
          .get(table)!
          .filter((column) => !known.has(column.name) && column.dflt_value === null);
        return !columns.some((column) => leftNull.some((each) => each.name === column));
      });
    expect(stricter).toEqual([]);
  });
});
