import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { inspectStore } from './inspect.ts';
import { checkSeal, openStore } from './open.ts';
import { storeFileName } from './sqlite/open-file.ts';
import { createSeal } from './seal.ts';
import { coreSchema } from './migrations.ts';

async function makeStore() {
  const dataDir = mkdtempSync(join(tmpdir(), 'deskside-inspect-'));
  const store = await openStore({ dataDir }, coreSchema);
  await checkSeal(store, createSeal('a secret of more than thirty-two characters'));
  await store.destroy();
  return { dataDir, file: join(dataDir, storeFileName) };
}

it('a store of this build has nothing to migrate, and reports what its key has sealed', async () => {
  const { file } = await makeStore();
  expect(inspectStore(file, coreSchema)).toEqual({
    pending: [],
    unknown: [],
    sealed: expect.stringMatching(/^v1\./),
  });
});

it('a store of a newer build is recognised by its unknown migrations, and is not opened', async () => {
  const { dataDir, file } = await makeStore();
  const sqlite = new Database(file);
  sqlite.exec("INSERT INTO kysely_migration VALUES ('9999-later', '2030-01-01')");
  sqlite.close();
  expect(inspectStore(file, coreSchema).unknown).toEqual(['9999-later']);
  await expect(openStore({ dataDir }, coreSchema)).rejects.toThrow(
    /another version of Deskside \(9999-later\)/,
  );
});

it('a file that is no store is refused', async () => {
  const { file } = await makeStore();
  writeFileSync(file, 'no database at all, but long enough to be looked at'.repeat(50));
  expect(() => inspectStore(file, coreSchema)).toThrow('not a database');
});
