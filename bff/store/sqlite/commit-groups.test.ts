import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommitGroups, createCommitGroups } from './commit-groups.ts';

let statements: string[];
let database: Database.Database;
let groups: CommitGroups;
let other: Database.Database;
let insert: (value: string) => () => void;
let count: () => unknown;

beforeEach(() => {
  const file = join(mkdtempSync(join(tmpdir(), 'deskside-groups-')), 'test.db');
  database = new Database(file, { verbose: (sql) => statements.push(String(sql)) });
  statements = [];
  database.pragma('journal_mode = WAL');
  database.exec('CREATE TABLE texts (text TEXT PRIMARY KEY)');
  const prepared = database.prepare('INSERT INTO texts VALUES (?)');
  insert = (value) => () => void prepared.run(value);
  const counting = database.prepare('SELECT count(*) FROM texts').pluck();
  count = () => counting.get();
  groups = createCommitGroups(database);
  other = new Database(file);
});
afterEach(async () => {
  other.close();
  await groups.close();
});

/** What is committed, as another process sees it. */
const stored = () => other.prepare('SELECT text FROM texts ORDER BY text').pluck().all();
const commits = () => statements.filter((sql) => sql === 'commit').length;
const statuses = (results: PromiseSettledResult<unknown>[]) => results.map(({ status }) => status);

async function transaction(...values: string[]): Promise<void> {
  await groups.begin();
  for (const value of values) {
    await Promise.resolve();
    groups.runInTransaction(insert(value));
  }
  await groups.commit();
}

describe('writes that come at the same time', () => {
  it('share one commit, transactions among them, and are stored when they resolve', async () => {
    await Promise.all([groups.write(insert('a')), transaction('b', 'c'), groups.write(insert('d'))]);
    expect(stored()).toEqual(['a', 'b', 'c', 'd']);
    expect(commits()).toBe(1);
  });

  it('do not fail with one whose statement fails', async () => {
    const both = await Promise.allSettled([
      groups.write(insert('a')),
      groups.write(insert('a')),
      groups.write(insert('b')),
    ]);
    expect(statuses(both)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(stored()).toEqual(['a', 'b']);
  });

  it('are stored without a transaction that is rolled back', async () => {
    const write = groups.write(insert('a'));
    await groups.begin();
    groups.runInTransaction(insert('b'));
    const late = groups.write(insert('c'));
    groups.rollback();
    await Promise.all([write, late]);
    expect(stored()).toEqual(['a', 'c']);
  });

  it('all fail when the disk is full, transactions among them; later ones are stored once it is not', async () => {
    const pages = database.pragma('page_count', { simple: true });
    database.pragma(`max_page_count = ${String(pages)}`);
    const failed = [groups.write(insert('a')), transaction('b'), groups.write(insert('c'.repeat(100_000)))];
    expect(statuses(await Promise.allSettled(failed))).toEqual(['rejected', 'rejected', 'rejected']);
    database.pragma('max_page_count = 1000');
    await groups.write(insert('d'));
    expect(stored()).toEqual(['d']);
  });
});

describe('a transaction', () => {
  it('that the full disk has ended takes no more statements, and does not resolve', async () => {
    const pages = database.pragma('page_count', { simple: true });
    await groups.begin();
    groups.runInTransaction(insert('a'));
    database.pragma(`max_page_count = ${String(pages)}`);
    expect(() => groups.runInTransaction(insert('b'.repeat(100_000)))).toThrow(/full/);
    expect(() => groups.runInTransaction(insert('c'))).toThrow('rolled back');
    await expect(groups.commit()).rejects.toMatchObject({ code: 'SQLITE_FULL' });
    expect(stored()).toEqual([]);
  });

  it('that is half done is not seen by others: they wait', async () => {
    await groups.begin();
    groups.runInTransaction(insert('a'));
    const waiting = groups.read(count);
    await Promise.resolve();
    groups.runInTransaction(insert('b'));
    await groups.commit();
    expect(await waiting).toBe(2);
  });
});

describe('a read that sees a write', () => {
  it('resolves once the write is committed', async () => {
    await groups.begin();
    groups.runInTransaction(insert('a'));
    const ended = groups.commit();
    expect(await groups.read(count)).toBe(1);
    expect(stored()).toEqual(['a']);
    await ended;
  });

  it('is made again when the write is lost to a full disk', async () => {
    const pages = database.pragma('page_count', { simple: true });
    await groups.begin();
    groups.runInTransaction(insert('a'));
    const ended = Promise.allSettled([groups.commit()]);
    const seen = groups.read(count);
    database.pragma(`max_page_count = ${String(pages)}`);
    await expect(groups.write(insert('b'.repeat(100_000)))).rejects.toMatchObject({ code: 'SQLITE_FULL' });
    expect(await seen).toBe(0);
    expect(statuses(await ended)).toEqual(['rejected']);
  });
});

describe('reads of one turn of the event loop', () => {
  const begun = () => statements.filter((sql) => sql === 'begin').length;

  it('share a transaction: they see the same, and later ones what another process has written', async () => {
    expect(groups.read(count)).toBe(0);
    other.exec("INSERT INTO texts VALUES ('theirs')");
    expect(groups.read(count)).toBe(0);
    expect(begun()).toBe(1);
    await setImmediate();
    expect(groups.read(count)).toBe(1);
  });

  it('can come at every moment of a write', async () => {
    const write = groups.write(insert('a'));
    for (let moment = 0; moment < 20; moment += 1) {
      expect(() => groups.read(count)).not.toThrow();
      await Promise.resolve();
    }
    await write;
    expect(stored()).toEqual(['a']);
  });

  it('do not block a write, though another process has written since', async () => {
    groups.read(count);
    other.exec("INSERT INTO texts VALUES ('theirs')");
    await groups.write(insert('mine'));
    expect(groups.read(count)).toBe(2);
    expect(stored()).toEqual(['mine', 'theirs']);
  });
});

it('closing stores what was begun, and refuses what comes later', async () => {
  const write = groups.write(insert('a'));
  await groups.close();
  await write;
  expect(stored()).toEqual(['a']);
  await expect(groups.write(insert('b'))).rejects.toThrow('not open');
});
