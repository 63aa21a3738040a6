import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runTestCommand } from '../../../testing/operator/command-line.ts';
import { createDatabase } from '../../../testing/store/test-store.ts';
import { checkSeal, openStore } from '../open.ts';
import { createSeal } from '../seal.ts';
import { schema } from '../../../extras/index.ts';

const secretKey = 'a secret of more than thirty-two characters';

async function storeFile() {
  const dataDir = mkdtempSync(join(tmpdir(), 'deskside-move-'));
  const store = await openStore({ dataDir }, schema);
  await checkSeal(store, createSeal(secretKey));
  await store.insertInto('subjects').values({ id: 'ada', verified: 0, created_at: 1 }).execute();
  await store.destroy();
  return dataDir;
}

const settings = {
  SUPPORT_API_URL: 'https://tickets.test',
  SUPPORT_API_KEY: 'key',
  ALLOWED_ORIGINS: 'https://shop.test',
};

it('migrate --from sqlite moves the store of DATA_DIR to DATABASE_URL, once', async () => {
  const databaseUrl = await createDatabase('template0');
  const env = { ...settings, DATA_DIR: await storeFile(), DATABASE_URL: databaseUrl, SECRET_KEY: secretKey };
  const { code, stdout } = await runTestCommand(['migrate', '--from', 'sqlite'], env);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^subjects +1$/m)]);
  const store = await openStore({ databaseUrl }, schema);
  expect(await store.selectFrom('subjects').select('id').execute()).toEqual([{ id: 'ada' }]);
  await store.destroy();
  const again = await runTestCommand(['migrate', '--from', 'sqlite'], env);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('a store on the server already')]);
});

it('migrate --from sqlite with another secret key moves nothing', async () => {
  const databaseUrl = await createDatabase('template0');
  const other = 'another one, just as long as it must be';
  const env = { ...settings, DATA_DIR: await storeFile(), DATABASE_URL: databaseUrl, SECRET_KEY: other };
  const { code, stderr } = await runTestCommand(['migrate', '--from', 'sqlite'], env);
  expect([code, stderr]).toEqual([1, expect.stringContaining('another SECRET_KEY')]);
  const store = await openStore({ databaseUrl }, schema);
  expect(await store.selectFrom('subjects').select('id').execute()).toEqual([]);
  await store.destroy();
});
