import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { writeSnapshot } from './backup.ts';

it('the copy of a store that another process writes without a pause ends, with the store as it was at the beginning', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'deskside-snapshot-'));
  const [from, to] = [join(folder, 'store.db'), join(folder, 'copy.db')];
  const store = new Database(from);
  store.pragma('journal_mode = WAL');
  store.pragma('synchronous = OFF');
  store.exec('CREATE TABLE pages (bytes)');
  const write = () => store.exec('INSERT INTO pages VALUES (zeroblob(4000))');
  for (let page = 0; page < 500; page += 1) write();
  // Between all steps of the copy.
  let writing = setImmediate(function next() {
    write();
    writing = setImmediate(next);
  });
  await writeSnapshot(from, to);
  clearImmediate(writing);
  const copy = new Database(to, { readonly: true });
  expect(copy.prepare('SELECT count(*) FROM pages').pluck().get()).toBe(500);
  expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
  copy.close();
  store.close();
});
