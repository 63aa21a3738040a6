import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { extras } from '../../extras/index.ts';
import { paths } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff, testSecretKey } from '../../testing/bff.ts';
import { runTestCommand } from '../../testing/operator/command-line.ts';

let bff: TestBff;
let env: Record<string, string>;
beforeEach(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'deskside-data-'));
  bff = await startBff({ dataDir });
  env = {
    SUPPORT_API_URL: 'https://tickets.test',
    SUPPORT_API_KEY: 'key',
    ALLOWED_ORIGINS: 'https://shop.test',
    DATA_DIR: dataDir,
    SECRET_KEY: testSecretKey,
  };
});
afterEach(() => bff.stop());

const ada = ['--email', 'ada@example.com'];

it('export prints what is stored under the address as JSON', async () => {
  await bff.browser().openTicket({ subject: 'The lid' });
  const { code, stdout } = await runTestCommand(['export', ...ada], env);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    version: 1,
    customers: [{ email: 'ada@example.com', tickets: [{ subject: 'The lid' }] }],
  });
});

it('forget removes the data while the server runs, and ends the browser’s session at once', async () => {
  const browser = bff.browser();
  await browser.openTicket();
  const { code, stdout } = await runTestCommand(['forget', ...ada], env);
  expect([code, stdout]).toEqual([0, expect.stringContaining('1 customers, 1 tickets')]);
  expect((await browser.get(paths.tickets)).status).toBe(401);
});

it('forget removes nothing and ends with 1 while something is to be delivered, unless told to drop it', async () => {
  const browser = bff.browser();
  await bff.worker.stop();
  await browser.openTicket();
  const refused = await runTestCommand(['forget', ...ada], env);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--undelivered')]);
  expect((await browser.get(paths.tickets)).data).toHaveLength(1);
  expect((await runTestCommand(['forget', ...ada, '--undelivered'], env)).code).toBe(0);
  expect((await browser.get(paths.tickets)).status).toBe(401);
});

it.each(['forget', 'export'])('%s ends with 2 for an invalid address', async (command) => {
  expect(await runTestCommand([command, '--email', 'ada'], env)).toMatchObject({ code: 2 });
});

it.each(['forget', 'export'])('%s ends with 1 where there is no store, and creates none', async (command) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'deskside-none-'));
  for (let n = 0; n < 2; n += 1) {
    const { code, stderr } = await runTestCommand([command, ...ada], { ...env, DATA_DIR: dataDir });
    expect([code, stderr]).toEqual([1, expect.stringContaining('there is no store')]);
  }
});

it('export does not create what only the server needs, so it cannot fail where that is missing', async () => {
  const created = extras.filter(({ isForServer }) => isForServer).map((extra) => vi.spyOn(extra, 'create'));
  expect((await runTestCommand(['export', ...ada], env)).code).toBe(0);
  for (const create of created) expect(create).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});
