import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { parseConfig } from './config.ts';
import { loadAssets } from './core/http/files/assets.ts';
import { createLog } from './core/log/log.ts';
import { createMetrics } from './core/metrics/metrics.ts';
import { openSite } from './running-site.ts';
import { makeWidgetFolder } from './testing/widget-folder.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('a site that has stopped does not end the process while other sites still send', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const lines: string[] = [];
  const site = await openSite({
    name: 'garden',
    config: parseConfig({
      SUPPORT_API_URL: 'https://tickets.example.com',
      SUPPORT_API_KEY: 'key-1',
      ALLOWED_ORIGINS: 'https://garden.example.com',
      DATA_DIR: mkdtempSync(join(tmpdir(), 'deskside-site-')),
    }),
    assets: loadAssets(makeWidgetFolder()),
    metrics: createMetrics(),
    log: createLog('warn', { write: (line) => lines.push(line) }),
  });
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never);
  await site.stop(1_000, Promise.resolve());
  await vi.advanceTimersByTimeAsync(20_000);
  expect([lines, exit.mock.calls]).toEqual([[], []]);
});
