import { mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCommitGroups } from './commit-groups.ts';
import { createLogSync } from './log-sync.ts';

let dir: string;
let database: Database.Database;
/** The syncs that the disk has not answered yet. */
let waiting: Waiting[];
let failures: Error[];

interface Waiting {
  resolve: () => void;
  reject: (error: Error) => void;
}

const sync = () => new Promise<void>((resolve, reject) => waiting.push({ resolve, reject }));
const newLog = () => createLogSync(database, { sync, onFailure: (error) => failures.push(error) });
const turn = () => new Promise((resolve) => setImmediate(resolve));
const insert = (text: string) => () => database.prepare('INSERT INTO texts VALUES (?)').run(text);

function open(file: string): Database.Database {
  const opened = new Database(file);
  opened.pragma('journal_mode = WAL');
  opened.exec('CREATE TABLE IF NOT EXISTS texts (text TEXT)');
  return opened;
}

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'deskside-log-'));
  database = open(join(dir, 'test.db'));
  waiting = [];
  failures = [];
});
afterEach(() => void database.close());

it('a call during a sync resolves after the next sync, which all such calls share', async () => {
  const log = newLog();
  const ended: string[] = [];
  const note = (name: string) => () => void ended.push(name);
  const all = [log.sync().then(note('first')), log.sync().then(note('a')), log.sync().then(note('b'))];
  expect(waiting).toHaveLength(1);
  waiting[0]!.resolve();
  await turn();
  expect([ended, waiting.length]).toEqual([['first'], 2]);
  waiting[1]!.resolve();
  await Promise.all(all);
  expect(ended).toEqual(['first', 'a', 'b']);
  await log.close();
});

it('a write resolves once its commit is on the disk, and a read meanwhile does not wait for that', async () => {
  const groups = createCommitGroups(database, newLog());
  let isStored = false;
  const write = groups.write(insert('a')).then(() => (isStored = true));
  const count = () => database.prepare('SELECT count(*) FROM texts').pluck().get();
  await expect.poll(() => waiting.length).toBe(1);
  expect([await groups.read(count), isStored]).toEqual([1, false]);
  waiting[0]!.resolve();
  await write;
  await groups.close();
});

describe('a sync that fails', () => {
  it('is reported once, and every later write is refused without a commit', async () => {
    const groups = createCommitGroups(database, newLog());
    const refused = { name: 'LoggableError', code: 'SQLITE_IOERR_FSYNC' };
    const write = Promise.allSettled([groups.write(insert('a'))]);
    await expect.poll(() => waiting.length).toBe(1);
    waiting[0]!.reject(new Error('EIO: i/o error, fdatasync'));
    expect(await write).toMatchObject([{ status: 'rejected', reason: refused }]);
    await expect(groups.write(insert('b'))).rejects.toMatchObject(refused);
    expect(failures).toEqual([expect.objectContaining({ message: expect.stringContaining('EIO') })]);
    expect(database.prepare('SELECT text FROM texts').pluck().all()).toEqual(['a']);
    await groups.close();
  });
});

it('the log of a file that is reached by a symbolic link is found', async () => {
  symlinkSync(join(dir, 'test.db'), join(dir, 'link.db'));
  const linked = open(join(dir, 'link.db'));
  linked.exec("INSERT INTO texts VALUES ('a')");
  const log = createLogSync(linked);
  await expect(log.sync()).resolves.toBeUndefined();
  await log.close();
  linked.close();
});

it('a database in memory has no log, and needs no sync', async () => {
  const memory = new Database(':memory:');
  await createLogSync(memory, { sync }).sync();
  expect(waiting).toEqual([]);
  memory.close();
});
