import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { watchSyncs } from '../../../testing/store/syncs.ts';
import { loadSecretKey } from '../secret.ts';
import { syncNames } from './files.ts';

const newFolder = () => mkdtempSync(join(tmpdir(), 'deskside-sync-'));

const failWith = (code: string) => watchSyncs(Object.assign(new Error(code), { code }));

it('a sync of names is passed over where the file system cannot do it', () => {
  failWith('EINVAL');
  expect(() => syncNames(newFolder())).not.toThrow();
});

it('a sync of names that fails on the disk is an error', () => {
  failWith('EIO');
  expect(() => syncNames(newFolder())).toThrow('EIO');
});

it('the name of the secret key is brought onto the disk when the key is made, and not at later starts', () => {
  const dataDir = newFolder();
  const synced = watchSyncs();
  loadSecretKey(undefined, dataDir);
  loadSecretKey(undefined, dataDir);
  expect(synced.filter((path) => path === dataDir)).toHaveLength(1);
});
