import { mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Kysely, Migrator, SqliteDialect } from 'kysely';
import { expect, it } from 'vitest';
import { migrations } from '../../store/migrations/index.ts';
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
  const db = new Kysely({ dialect: new SqliteDialect({ database: open(dataDir) }) });
  await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateTo('0005-transfers');
  await db.destroy();
  const later = Object.keys(migrations).filter((name) => name > '0005-transfers');
  const { code, stdout } = await run(dataDir);
  expect([code, stdout]).toEqual([0, later.map((name) => `done: ${name}\n`).join('')]);
  expect(await run(dataDir)).toMatchObject({ code: 0, stdout: expect.stringContaining('already') });
});

it('migrate without a store creates one for its owner only', async () => {
  const dataDir = newFolder();
  expect(await run(dataDir)).toMatchObject({ code: 0, stdout: expect.stringContaining('is made') });
  expect(statSync(join(dataDir, 'deskside.db')).mode & 0o777).toBe(0o600);
});

it('migrate of a store of a newer version is refused with its reason', async () => {
  const dataDir = newFolder();
  await run(dataDir);
  const sqlite = open(dataDir);
  sqlite.exec("INSERT INTO kysely_migration VALUES ('9999-later', '2030-01-01')");
  sqlite.close();
  const { code, stderr } = await run(dataDir);
  expect([code, stderr]).toEqual([1, expect.stringContaining('newer version of Deskside (9999-later)')]);
});
