import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { coreSchema } from '../migrations.ts';
import { openStore, type Store } from '../open.ts';
import { watchFiles } from './files.ts';

let dataDir: string;
let store: Store;
const write = (name: string) => store.insertInto('scripts').values({ name, seen_at: 0 }).execute();
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  dataDir = mkdtempSync(join(tmpdir(), 'deskside-files-'));
  store = await openStore({ dataDir }, coreSchema);
  await write('before.js');
});
afterEach(async () => {
  vi.useRealTimers();
  await store.destroy();
});

it('a log that is deleted under a running server is noticed once, and nothing is lost', async () => {
  const onGone = vi.fn<() => void>();
  watchFiles(store, dataDir, onGone);
  rmSync(join(dataDir, 'deskside.db-wal'));
  await write('after.js');
  vi.advanceTimersByTime(20_000);
  await expect.poll(() => onGone).toHaveBeenCalledTimes(1);
  // What a process that is killed now leaves.
  const left = mkdtempSync(join(tmpdir(), 'deskside-files-'));
  cpSync(join(dataDir, 'deskside.db'), join(left, 'deskside.db'));
  const next = await openStore({ dataDir: left }, coreSchema);
  const rows = await next.selectFrom('scripts').select('name').orderBy('name').execute();
  expect(rows.map(({ name }) => name)).toEqual(['after.js', 'before.js']);
  await next.destroy();
});

it('a store that is written, and read by another process, is left alone', async () => {
  const onGone = vi.fn<() => void>();
  const stop = watchFiles(store, dataDir, onGone);
  const other = await openStore({ dataDir }, coreSchema);
  await other.destroy();
  await write('after.js');
  vi.advanceTimersByTime(20_000);
  stop();
  expect(onGone).not.toHaveBeenCalled();
});
