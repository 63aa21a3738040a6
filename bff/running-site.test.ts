import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { parseConfig } from './config.ts';
import { createAdmin } from './core/http/admin.ts';
import { loadAssets } from './core/http/files/assets.ts';
import { createLog, type Log } from './core/log/log.ts';
import { createMetrics } from './core/metrics/metrics.ts';
import { openFurtherSite, openSite, type RunningSite } from './running-site.ts';
import { makeWidgetFolder } from './testing/widget-folder.ts';

let lines: string[];
let log: Log;
let dataDir: string;
beforeEach(() => {
  lines = [];
  log = createLog('info', { write: (line) => lines.push(line) });
  dataDir = mkdtempSync(join(tmpdir(), 'deskside-site-'));
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const garden = () => ({
  name: 'garden',
  config: parseConfig({
    SUPPORT_API_URL: 'http://127.0.0.1:9',
    SUPPORT_API_KEY: 'key-1',
    ALLOWED_ORIGINS: 'https://garden.example.com',
    DATA_DIR: dataDir,
  }),
  assets: loadAssets(makeWidgetFolder()),
  log,
});
/** Instead of a store. */
const damage = () => writeFileSync(join(dataDir, 'deskside.db'), 'no database at all'.repeat(99));
const ask = async ({ app }: RunningSite) =>
  app.fetch(new Request('http://localhost/sites/garden/widget.js'), {});

it('a site that has stopped does not end the process while other sites still send', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const site = await openSite({ ...garden(), metrics: createMetrics() });
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
  await site.stop(1_000, Promise.resolve());
  await vi.advanceTimersByTimeAsync(20_000);
  expect([lines, exit.mock.calls]).toEqual([[], []]);
});

it('a site whose store is broken answers that it is away, and operators learn why', async () => {
  damage();
  const site = await openFurtherSite(garden());
  const response = await ask(site);
  expect([response.status, await response.json()]).toEqual([
    503,
    { error: expect.objectContaining({ code: 'overloaded' }) },
  ]);
  expect(JSON.parse(lines[0]!)).toMatchObject({
    code: 'site_not_opened',
    err: { message: expect.stringContaining('file is not a database') },
  });

  const admin = createAdmin({ sites: [{ ...site, name: undefined }, site], log, isStopping: () => false });
  const ready = await admin.request('/readyz');
  expect([ready.status, await ready.json()]).toMatchObject([
    503,
    { data: { sites: { garden: { ready: false, store: false } } } },
  ]);
  const metrics = await (await admin.request('/metrics')).text();
  expect(metrics).toContain('deskside_store_writable{site="garden"} 0\n');
});

it('a site whose store is repaired is served within a minute, and stops as others do', async () => {
  damage();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const site = await openFurtherSite(garden());
  await site.start();
  await vi.advanceTimersByTimeAsync(60_000);
  expect((await ask(site)).status).toBe(503);
  rmSync(join(dataDir, 'deskside.db'));
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  await expect.poll(async () => (await ask(site)).status).toBe(200);
  expect(lines.join()).toContain('the site is served now');
  await site.stop(1_000, Promise.resolve());
});
