import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { Kysely } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { GroupCommitDialect } from './group-commit-dialect.ts';

interface TestTables {
  texts: { id: number; text: string | null };
  notes: { text_id: number; note: string };
}

let db: Kysely<TestTables>;
let otherProcess: Database.Database;

beforeEach(() => {
  const file = join(mkdtempSync(join(tmpdir(), 'deskside-dialect-')), 'test.db');
  otherProcess = new Database(file);
  otherProcess.pragma('journal_mode = WAL');
  otherProcess.exec(
    'create table texts (id integer, text text); create table notes (text_id integer, note text)',
  );
  otherProcess.exec("insert into texts values (1, 'one'), (2, null); insert into notes values (1, 'first')");
  db = new Kysely({ dialect: new GroupCommitDialect(new Database(file)) });
});
afterEach(async () => {
  otherProcess.close();
  await db.destroy();
});

it('a read returns an object for each row, with each column by its name', async () => {
  const rows = await db.selectFrom('texts').selectAll().orderBy('id').execute();
  expect(rows).toEqual([
    { id: 1, text: 'one' },
    { id: 2, text: null },
  ]);
});

it('a read without a row returns none', async () => {
  expect(await db.selectFrom('texts').selectAll().where('id', '=', 3).execute()).toEqual([]);
});

it('a read names its columns rightly after another process has added a column', async () => {
  const read = () =>
    db
      .selectFrom('texts')
      .innerJoin('notes', 'notes.text_id', 'texts.id')
      .selectAll('texts')
      .select('note')
      .execute();
  expect(await read()).toEqual([{ id: 1, text: 'one', note: 'first' }]);
  await setImmediate();
  otherProcess.exec('alter table texts add column language text');
  expect(await read()).toEqual([{ id: 1, text: 'one', language: null, note: 'first' }]);
});

it('a write that returns a row gives it as an object', async () => {
  const inserted = await db.insertInto('texts').values({ id: 3, text: 'three' }).returningAll().execute();
  expect(inserted).toEqual([{ id: 3, text: 'three' }]);
});
