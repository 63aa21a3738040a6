import fs, { mkdtempSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { loadSecretKey } from '../secret.ts';
import { sync } from './sync.ts';

function syncBy(mock: (handle: number) => void): void {
  const spy = vi.spyOn(fs, 'fsyncSync').mockImplementation(mock);
  // So that named imports of other modules are spied on, too.
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
}

const failWith = (code: string) =>
  syncBy(() => {
    throw Object.assign(new Error(code), { code });
  });

it('a sync of names is passed over where the file system cannot do it', () => {
  failWith('EINVAL');
  expect(() => sync(tmpdir())).not.toThrow();
});

it('a sync of names that fails on the disk is an error', () => {
  failWith('EIO');
  expect(() => sync(tmpdir())).toThrow('EIO');
});

// A power cut has little time to show it: the store syncs the same folder soon.
it('the name of the secret key is brought onto the disk when the key is made, and not at later starts', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'deskside-sync-'));
  let folders = 0;
  syncBy((handle) => void (folders += Number(fs.fstatSync(handle).isDirectory())));
  loadSecretKey(undefined, dataDir);
  loadSecretKey(undefined, dataDir);
  expect(folders).toBe(1);
});
