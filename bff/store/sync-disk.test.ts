import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { watchSyncs } from '../testing/store/syncs.ts';
import { loadSecretKey } from './secret.ts';
import { syncFile, syncNames } from './sync-disk.ts';

const newFile = () => join(mkdtempSync(join(tmpdir(), 'deskside-sync-')), 'file');

it('a file and the names in its folder are brought onto the disk', () => {
  const file = newFile();
  writeFileSync(file, 'text');
  const synced = watchSyncs();
  syncFile(file);
  syncNames(dirname(file));
  expect(synced).toEqual([file, dirname(file)]);
});

it('the name of the secret key is brought onto the disk when the key is made, and not at later starts', () => {
  const dataDir = dirname(newFile());
  const synced = watchSyncs();
  loadSecretKey(undefined, dataDir);
  loadSecretKey(undefined, dataDir);
  expect(synced.filter((path) => path === dataDir)).toHaveLength(1);
});
