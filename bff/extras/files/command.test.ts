import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseConfig } from '../../config.ts';
import { runChecks, ok } from '../../core/operator/check.ts';
import { startBff, testSecretKey, type TestBff } from '../../testing/bff.ts';
import { runTestCommand } from '../../testing/operator/command-line.ts';
import { checkSeal } from '../../core/store/open.ts';
import { fileChecks } from './checks.ts';
import { fileValues, pngOf, upload } from './testing/upload.ts';

const required = {
  SUPPORT_API_URL: 'https://tickets.test',
  SUPPORT_API_KEY: 'key',
  ALLOWED_ORIGINS: 'https://shop.test',
};
const newFolder = () => mkdtempSync(join(tmpdir(), 'files-'));

let dataDir: string;
let bff: TestBff;
let ids: string[];
beforeEach(async () => {
  dataDir = newFolder();
  bff = await startBff({ dataDir, values: fileValues });
  await checkSeal(bff.store, bff.seal);
  const browser = bff.browser();
  ids = [];
  for (let n = 1; n <= 3; n += 1) ids.push((await upload(bff, browser, pngOf(n, n))).data.id);
});
afterEach(() => bff.stop());

const run = (args: string[], dir = dataDir) =>
  runTestCommand(args, { ...required, SECRET_KEY: testSecretKey, DATA_DIR: dir });
const pathOf = (id: string, dir = dataDir) => join(dir, 'files', id.slice(-2), id);

it('files counts them, and --verify names what is missing, changed or of no row', async () => {
  expect(await run(['files', '--verify'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('3 files, 1 MB, in'),
  });
  rmSync(pathOf(ids[0]!));
  writeFileSync(pathOf(ids[1]!), 'changed');
  mkdirSync(join(dataDir, 'files', 'zz'));
  writeFileSync(join(dataDir, 'files', 'zz', 'stranger-zz'), '');
  const { code, stdout } = await run(['files', '--verify', '--json']);
  expect([code, JSON.parse(stdout)]).toEqual([
    1,
    expect.objectContaining({ count: 3, missing: [ids[0]], changed: [ids[1]], unknown: ['stranger-zz'] }),
  ]);
});

it('a backup has the files, and brings them back', async () => {
  const backup = join(newFolder(), 'store.backup');
  mkdirSync(join(dataDir, 'files', 'tmp'), { recursive: true });
  writeFileSync(join(dataDir, 'files', 'tmp', 'arriving'), 'x');
  expect((await run(['backup', backup])).stdout).toContain(`${backup}.files: 3 files`);
  expect(readdirSync(`${backup}.files`)).not.toContain('tmp');
  const other = newFolder();
  expect((await run(['restore', backup], other)).stdout).toContain('3 files came back');
  expect(ids.every((id) => existsSync(pathOf(id, other)))).toBe(true);
  expect((await run(['files', '--verify'], other)).code).toBe(0);
});

async function check(values: object, publicUrl = 'http://127.0.0.1:1') {
  const context = {
    env: {},
    config: () => ({
      ...parseConfig({ ...required, DATA_DIR: dataDir, PUBLIC_URL: publicUrl }),
      values: { ...fileValues, ...values },
    }),
    now: Date.now,
    patienceMs: 500,
    mailTo: null,
    site: null,
    build: { version: '', widgetDir: '' },
  };
  const isGood = (name: string) => ({ name, needs: [], fix: '', run: () => ok('good') });
  const results = await runChecks([...['configuration', 'public-gate'].map(isGood), ...fileChecks(context)]);
  return Object.fromEntries(results.map(({ name, level }) => [name, level]));
}

it('the checks find a store that cannot be written and a scanner that is away', async () => {
  expect(await check({})).toMatchObject({ 'files-store': 'ok', 'files-host': 'ok', 'files-scanner': 'ok' });
  const broken = { FILES_URL: 's3://a:b@127.0.0.1:1/deskside?tls=off', FILES_SCAN: 'clamd://127.0.0.1:1' };
  expect(await check(broken)).toMatchObject({ 'files-store': 'fail', 'files-scanner': 'fail' });
});

it('a check whose file does not arrive in time warns, since the way may be slow', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  expect(await check({}, `http://127.0.0.1:${port}`)).toMatchObject({ 'files-proxy': 'warn' });
  silent.close();
});

it.each([
  [{ FILES_URL: 's3://bucket' }, 'FILES_URL: must be as in s3://'],
  [{ FILES_TYPES: 'png' }, 'FILES_TYPES: must be media types'],
  [{ FILES_SCAN: '127.0.0.1:3310' }, 'FILES_SCAN: must be as in clamd://'],
  [{ RETENTION_FILES_DAYS: '-1' }, 'RETENTION_FILES_DAYS: must be a whole number'],
])('the settings %j are refused', (env, error) =>
  expect(() => parseConfig({ ...required, ...env })).toThrow(error),
);
