import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { expect, it, onTestFinished, vi } from 'vitest';
import { sync } from './sync.ts';

function failWith(code: string): void {
  const spy = vi.spyOn(fs, 'fsyncSync').mockImplementation(() => {
    throw Object.assign(new Error(code), { code });
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
}

it('a sync of names is passed over where the file system cannot do it', () => {
  failWith('EINVAL');
  expect(() => sync(tmpdir())).not.toThrow();
});

it('a sync of names that fails on the disk is an error', () => {
  failWith('EIO');
  expect(() => sync(tmpdir())).toThrow('EIO');
});
