import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { createAdmin } from '../../core/http/admin.ts';
import { serveApp, startChecked, stopServing } from '../../testing/operator/checks.ts';
import { runTestCommand } from '../../testing/operator/command-line.ts';

let checked: Awaited<ReturnType<typeof startChecked>>;
afterEach(async () => {
  await stopServing();
  await checked.bff.stop();
});

/** Starts a BFF with its admin port. `isUsable`: whether its service can be used. */
async function start(isUsable: boolean) {
  checked = await startChecked({ url: 'http://127.0.0.1:1', key: 'key' });
  const { store, metrics, log } = checked.bff;
  const problem = isUsable ? null : { cause: 'key' as const, advice: 'Put a valid key there.' };
  const serviceCheck = { state: () => ({ isUsable, problem }), ask: async () => {} };
  const admin = await serveApp(
    createAdmin({ sites: [{ store, metrics, serviceCheck }], log, isStopping: () => false }),
  );
  return { ...checked.env, ADMIN_PORT: new URL(admin).port } as Record<string, string>;
}

it('status of a ready server counts its deliveries and ends with 0', async () => {
  const env = await start(true);
  await checked.bff.browser().openTicket();
  const { code, stdout } = await runTestCommand(['status', '--json'], env);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    running: true,
    ready: true,
    service_usable: true,
    problem: null,
    store_writable: true,
    deliveries: { done: 1 },
    undecided: 0,
    oldest_undelivered_sec: 0,
  });
});

it('status of a server that cannot use its service says what to do and ends with 1', async () => {
  const { code, stdout } = await runTestCommand(['status'], await start(false));
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^ready +no$[^]*Put a valid key there\.$/m)]);
});

it('status without a running server says so, still reads the store and ends with 1', async () => {
  await start(true);
  const { code, stdout } = await runTestCommand(['status'], { ...checked.env, ADMIN_PORT: '1' });
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^deliveries +none$[^]*no server answers at /m)]);
});

it('status without a store names the missing file and ends with 1', async () => {
  const env = { ...(await start(true)), DATA_DIR: '/nowhere' };
  const { code, stderr } = await runTestCommand(['status'], env);
  expect([code, stderr]).toEqual([1, expect.stringContaining('/nowhere/deskside.db')]);
});

it('status of a site asks the server about that site, and says if it does not serve it', async () => {
  const { DATA_DIR, SECRET_KEY, ...env } = await start(true);
  const folder = mkdtempSync(join(tmpdir(), 'deskside-status-'));
  mkdirSync(join(folder, 'sites'));
  symlinkSync(DATA_DIR!, join(folder, 'sites/garden'));
  const SITES_FILE = join(folder, 'sites.yaml');
  writeFileSync(SITES_FILE, `garden: { ALLOWED_ORIGINS: 'http://garden.test', SECRET_KEY: ${SECRET_KEY} }`);
  const { code, stdout } = await runTestCommand(['--for', 'garden', 'status'], {
    ...env,
    DATA_DIR: folder,
    SITES_FILE,
  });
  expect([code, stdout]).toEqual([1, expect.stringContaining('does not serve the site garden')]);
});
