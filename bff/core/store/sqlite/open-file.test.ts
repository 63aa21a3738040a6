import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openStore } from '../open.ts';
import { coreSchema } from '../migrations.ts';
import { openCounterFile } from '../counters.ts';
import { openingHint } from './open-file.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'deskside-store-'));

it('a store with a damaged page is named, and not started', async () => {
  const dataDir = folder();
  const store = await openStore({ dataDir }, coreSchema);
  await store.destroy();
  const file = join(dataDir, 'deskside.db');
  const bytes = readFileSync(file);
  const pageSize = bytes.readUInt16BE(16);
  for (let page = 1; page < bytes.length / pageSize; page += 1)
    bytes.fill(0x5a, page * pageSize, page * pageSize + 64);
  writeFileSync(file, bytes);
  await expect(openStore({ dataDir }, coreSchema)).rejects.toThrow(/deskside\.db.*damaged|malformed/);
});

it('a store that the process cannot open is named, with the user who must be able to write', async () => {
  const dataDir = folder();
  mkdirSync(join(dataDir, 'deskside.db'));
  await expect(openStore({ dataDir }, coreSchema)).rejects.toThrow(
    /deskside\.db: unable to open.* user \d+ must/,
  );
});

it('a file of counters that the process cannot open is named, with the user, and not as one to delete', () => {
  const file = join(folder(), 'no folder', 'limits.db');
  mkdirSync(join(file, 'x'), { recursive: true });
  expect(() => openCounterFile(file)).toThrow(/limits\.db: unable to open.* user \d+ must(?!.*deleted)/);
});

it('an I/O error of SQLite is explained by the disk', () => {
  expect(openingHint('SQLITE_IOERR_SHMSIZE')).toContain('the disk is full');
  expect(openingHint('SQLITE_NOTADB')).toBe('');
});

it('a large store is checked at the start only where it was not closed', async () => {
  const dataDir = folder();
  const file = join(dataDir, 'deskside.db');
  const store = await openStore({ dataDir }, coreSchema);
  await store.insertInto('scripts').values({ name: 'a.js', seen_at: 0 }).execute();
  const body = new Uint8Array(55 * 1024 * 1024);
  await store.insertInto('script_bodies').values({ name: 'a.js', coding: 'gzip', body }).execute();
  await store.destroy();
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(64, 0x5a), 0, 64, 4_096 * 5_000);
  closeSync(descriptor);
  await (await openStore({ dataDir }, coreSchema)).destroy();
  writeFileSync(`${file}-wal`, '');
  await expect(openStore({ dataDir }, coreSchema)).rejects.toThrow(/deskside\.db.*damaged|malformed/);
});

it('a folder without a store, but with what belongs to one, is refused', async () => {
  const dataDir = folder();
  writeFileSync(join(dataDir, 'deskside.db-wal'), '');
  await expect(openStore({ dataDir }, coreSchema)).rejects.toThrow('no deskside.db, but deskside.db-wal');
});
