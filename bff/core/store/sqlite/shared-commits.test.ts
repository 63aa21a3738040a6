import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { Kysely } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { storeDialect } from './open-file.ts';

interface Tables {
  texts: { text: string };
}

let statements: string[];
let database: Database.Database;
let db: Kysely<Tables>;
/** Another process. */
let other: Database.Database;

beforeEach(() => {
  const file = join(mkdtempSync(join(tmpdir(), 'deskside-commits-')), 'test.db');
  statements = [];
  database = new Database(file, { verbose: (text) => statements.push(String(text)) });
  database.pragma('journal_mode = WAL');
  database.exec('CREATE TABLE texts (text TEXT PRIMARY KEY)');
  db = new Kysely<Tables>({ dialect: storeDialect(database) });
  other = new Database(file);
});
afterEach(async () => {
  other.close();
  await db.destroy();
});

const write = (text: string, on = db) => on.insertInto('texts').values({ text }).execute();
const read = async () => (await db.selectFrom('texts').selectAll().execute()).map(({ text }) => text);
const stored = () => other.prepare('SELECT text FROM texts ORDER BY text').pluck().all();
const commits = () => statements.filter((text) => text === 'commit').length;
const statusesOf = async (work: Promise<unknown>[]) =>
  (await Promise.allSettled(work)).map(({ status }) => status);
const fillDisk = () =>
  database.pragma(`max_page_count = ${String(database.pragma('page_count', { simple: true }))}`);

describe('writes of one turn of the event loop', () => {
  it('share one commit, and are stored when they resolve', async () => {
    await Promise.all(['a', 'b', 'c'].map((text) => write(text)));
    expect(stored()).toEqual(['a', 'b', 'c']);
    expect(commits()).toBe(1);
  });

  it('share it with those of the next turn', async () => {
    const first = write('a');
    for (let turn = 0; turn < 2; turn += 1) await nextTurn();
    await Promise.all([first, write('b')]);
    expect(commits()).toBe(1);
  });

  it('are not seen before their commit', async () => {
    const writing = [write('a'), write('b')];
    expect(await read()).toEqual([]);
    await Promise.all(writing);
    expect(await read()).toEqual(['a', 'b']);
  });

  it('do not fail with one that is refused', async () => {
    expect(await statusesOf([write('a'), write('a'), write('b')])).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(stored()).toEqual(['a', 'b']);
  });

  it('all fail with that reason on a full disk, and later ones are stored once it is not full', async () => {
    fillDisk();
    const failing = await Promise.allSettled([write('a'), write('b'.repeat(100_000)), write('c')]);
    const full = { status: 'rejected', reason: expect.objectContaining({ code: 'SQLITE_FULL' }) };
    expect(failing).toEqual([full, full, full]);
    database.pragma('max_page_count = 1000');
    await write('d');
    expect(stored()).toEqual(['d']);
  });
});

describe('a transaction', () => {
  it('that is half done is seen by nobody: reads and writes wait for its end', async () => {
    let reading: Promise<string[]> | undefined;
    let writing: Promise<unknown> | undefined;
    await db.transaction().execute(async (trx) => {
      await write('a', trx);
      [reading, writing] = [read(), write('c')];
      await write('b', trx);
      expect(stored()).toEqual([]);
    });
    expect(await reading).toEqual(['a', 'b']);
    await writing;
    expect(stored()).toEqual(['a', 'b', 'c']);
  });

  it('that fails takes back its own writes, and no others', async () => {
    const failing = db.transaction().execute(async (trx) => {
      await write('a', trx);
      throw new Error('no');
    });
    expect(await statusesOf([write('b'), failing, write('c')])).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(stored()).toEqual(['b', 'c']);
  });

  it('begins after the one before it, whatever became of that', async () => {
    const transactions = ['a', 'a', 'b'].map((text) => db.transaction().execute((trx) => write(text, trx)));
    expect(await statusesOf(transactions)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(stored()).toEqual(['a', 'b']);
  });
});
