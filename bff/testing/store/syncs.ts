import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { onTestFinished, vi } from 'vitest';

/**
 * Lists the files and folders that Node's code brings onto the disk from now on, in order. SQLite's are left out.
 * `failure`: is thrown by each sync.
 */
export function watchSyncs(failure?: Error): string[] {
  const synced: string[] = [];
  const paths = new Map<number, string>();
  const { openSync, fsyncSync } = fs;
  const spies = [
    vi.spyOn(fs, 'openSync').mockImplementation((path, ...more) => {
      const handle = openSync(path, ...more);
      paths.set(handle, String(path));
      return handle;
    }),
    vi.spyOn(fs, 'fsyncSync').mockImplementation((handle) => {
      if (failure) throw failure;
      fsyncSync(handle);
      synced.push(paths.get(handle) ?? '');
    }),
  ];
  // So that named imports of other modules are spied on, too.
  syncBuiltinESMExports();
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
    syncBuiltinESMExports();
  });
  return synced;
}
