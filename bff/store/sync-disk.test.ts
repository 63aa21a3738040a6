import { mkdtempSync, writeFileSync } from 'node:fs';
import type * as NodeFs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { loadSecretKey } from './secret.ts';
import { syncFile, syncNames } from './sync-disk.ts';

/** The paths that were synced, in order. */
const synced = vi.hoisted((): (string | undefined)[] => []);

vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof NodeFs>();
  const paths = new Map<number, string>();
  return {
    ...fs,
    openSync(path: string, flags: string): number {
      const handle = fs.openSync(path, flags);
      paths.set(handle, path);
      return handle;
    },
    fsyncSync(handle: number): void {
      fs.fsyncSync(handle);
      synced.push(paths.get(handle));
    },
  };
});

const newFile = () => join(mkdtempSync(join(tmpdir(), 'deskside-sync-')), 'file');

beforeEach(() => void (synced.length = 0));

it('a file and the names in its folder are synced', () => {
  const file = newFile();
  writeFileSync(file, 'text');
  syncFile(file);
  syncNames(dirname(file));
  expect(synced).toEqual([file, dirname(file)]);
});

it('the name of the secret key is synced when the key is made, and not at later starts', () => {
  const dataDir = dirname(newFile());
  loadSecretKey(undefined, dataDir);
  loadSecretKey(undefined, dataDir);
  expect(synced.filter((path) => path === dataDir)).toHaveLength(1);
});
