import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { paths } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import { fillDisk } from '../../testing/store/full-disk.ts';
import { valueOf } from '../../testing/metrics.ts';
import { until } from '../../testing/streams.ts';

let bff: TestBff;
afterEach(() => bff.stop());

const value = async (sample: string) => valueOf(await bff.metrics.registry.metrics(), sample);

it('statements are measured by kind', async () => {
  bff = await startBff();
  await bff.browser().openTicket();
  for (const statement of ['select', 'insert', 'update'])
    expect(
      await value(`deskside_store_statement_duration_seconds_count{statement="${statement}"}`),
    ).toBeGreaterThan(0);
});

it('statements that fail are counted by the code of SQLite', async () => {
  bff = await startBff();
  const freeDisk = await fillDisk(bff.store);
  await bff.browser().openTicket();
  expect(await value('deskside_store_errors_total{code="SQLITE_FULL"}')).toBeGreaterThan(0);
  await freeDisk();
});

it('the sizes of the files are shown', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'deskside-sizes-'));
  bff = await startBff({ dataDir });
  expect(await value('deskside_store_file_bytes{file="database"}')).toBeGreaterThan(0);
  expect(await value('deskside_store_file_bytes{file="wal"}')).toBeGreaterThan(0);
  rmSync(dataDir, { recursive: true });
});

it('sessions are counted until they end', async () => {
  bff = await startBff();
  const ada = bff.browser();
  await ada.openTicket();
  await bff.browser().openTicket();
  // A count that took long is used again for a while.
  const untilCounted = (count: number) =>
    until(async () => expect(await value('deskside_sessions')).toBe(count));
  await untilCounted(2);
  await ada.request('DELETE', paths.session);
  await untilCounted(1);
  bff.clock.offsetMs = 91 * 86_400_000;
  await untilCounted(0);
});
