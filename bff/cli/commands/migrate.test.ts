import { mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { schema } from '../../extras/index.ts';
import { runTestCommand } from '../../testing/operator/command-line.ts';

const run = (dataDir: string) =>
  runTestCommand(['migrate'], {
    SUPPORT_API_URL: 'https://tickets.test',
    SUPPORT_API_KEY: 'key',
    ALLOWED_ORIGINS: 'https://shop.test',
    DATA_DIR: dataDir,
  });
const newFolder = () => mkdtempSync(join(tmpdir(), 'deskside-migrate-'));
const open = (dataDir: string) => new Database(join(dataDir, 'deskside.db'));

it('migrate of an older store names the migrations that it runs, and runs them once', async () => {
  const dataDir = newFolder();
  await run(dataDir);
  schema.migrations['core-2'] = {
    up: (db) => db.schema.createTable('later').addColumn('id', 'text').execute(),
  };
  onTestFinished(() => void delete schema.migrations['core-2']);
  expect(await run(dataDir)).toMatchObject({ code: 0, stdout: 'done: core-2\n' });
  expect(await run(dataDir)).toMatchObject({ code: 0, stdout: expect.stringContaining('already') });
});

it('migrate without a store creates one for its owner only', async () => {
  const dataDir = newFolder();
  expect(await run(dataDir)).toMatchObject({ code: 0, stdout: expect.stringContaining('is made') });
  expect(statSync(join(dataDir, 'deskside.db')).mode & 0o777).toBe(0o600);
});

it('migrate of a store of another version is refused with its reason', async () => {
  const dataDir = newFolder();
  await run(dataDir);
  const sqlite = open(dataDir);
  sqlite.exec("INSERT INTO kysely_migration VALUES ('9999-later', '2030-01-01')");
  sqlite.close();
  const { code, stderr } = await run(dataDir);
  expect([code, stderr]).toEqual([1, expect.stringContaining('another version of Deskside (9999-later)')]);
});
