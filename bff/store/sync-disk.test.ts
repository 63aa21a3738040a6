import { closeSync, fsyncSync, mkdtempSync, openSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { loadSecretKey } from './secret.ts';
import { syncFile, syncNames } from './sync-disk.ts';

vi.mock('node:fs', { spy: true });

const newFile = () => join(mkdtempSync(join(tmpdir(), 'deskside-sync-')), 'file');

beforeEach(() => void vi.clearAllMocks());

/** The paths that were synced, in order. */
function synced(): unknown[] {
  const { calls, results } = vi.mocked(openSync).mock;
  const paths = new Map(calls.map(([path], n) => [results[n]!.value as number, path]));
  return vi.mocked(fsyncSync).mock.calls.map(([handle]) => paths.get(handle));
}

it('a file and the names in its folder are synced, and closed again', () => {
  const file = newFile();
  writeFileSync(file, 'text');
  vi.clearAllMocks();
  syncFile(file);
  syncNames(dirname(file));
  expect(synced()).toEqual([file, dirname(file)]);
  expect(vi.mocked(closeSync)).toHaveBeenCalledTimes(2);
});

it('the name of the secret key is synced when the key is made, and not at later starts', () => {
  const dataDir = dirname(newFile());
  loadSecretKey(undefined, dataDir);
  loadSecretKey(undefined, dataDir);
  expect(synced().filter((path) => path === dataDir)).toHaveLength(1);
});
