import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { checkSeal, openStore } from './core/store/open.ts';
import { createSeal } from './core/store/seal.ts';
import { schema } from './extras/index.ts';

/** Runs the entry file until it ends. */
const run = (env: Record<string, string>) =>
  new Promise<{ code: number; stderr: string }>((resolve) => {
    execFile(
      process.execPath,
      ['--import', 'tsx', join(import.meta.dirname, 'main.ts')],
      { env: { ...process.env, ...env } },
      (error, _, stderr) => resolve({ code: Number(error?.code ?? 0), stderr }),
    );
  });

it('a store that everybody could read is made private when the process starts [storage-5]', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'deskside-main-'));
  chmodSync(dataDir, 0o755);
  const file = join(dataDir, 'deskside.db');
  const store = await openStore({ dataDir }, schema);
  await checkSeal(store, createSeal('a secret of more than thirty-two characters'));
  await store.destroy();
  chmodSync(file, 0o644);
  const { code, stderr } = await run({
    DATA_DIR: dataDir,
    SUPPORT_API_URL: 'http://127.0.0.1:9',
    SUPPORT_API_KEY: 'key',
    ALLOWED_ORIGINS: 'https://shop.test',
    // The process ends before it listens.
    SECRET_KEY: 'another secret, just as long as it must be',
  });
  expect([code, stderr]).toEqual([1, expect.stringContaining('another SECRET_KEY')]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('a store of another version is not served: the process ends with 1 and says what to do', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'deskside-main-'));
  await (await openStore({ dataDir }, schema)).destroy();
  const sqlite = new Database(join(dataDir, 'deskside.db'));
  sqlite.exec("INSERT INTO kysely_migration VALUES ('9999-later', '2030-01-01')");
  sqlite.close();
  const { code, stderr } = await run({
    DATA_DIR: dataDir,
    SUPPORT_API_URL: 'http://127.0.0.1:9',
    SUPPORT_API_KEY: 'key',
    ALLOWED_ORIGINS: 'https://shop.test',
  });
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      /another version of Deskside \(9999-later\): use that version, or restore a backup/,
    ),
  ]);
});
