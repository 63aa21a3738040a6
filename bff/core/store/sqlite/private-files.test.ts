import { chmodSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkSeal, openStore } from '../open.ts';
import { createSeal } from '../seal.ts';
import { loadSecretKey } from '../secret.ts';
import { enterStore, keepFilesPrivate } from './files.ts';
import { coreSchema } from '../migrations.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'deskside-store-'));

describe('files of the store', () => {
  it('are for this user only, in a folder that was there with files for everybody [storage-4]', async () => {
    const dataDir = folder();
    const umask = process.umask(0o022);
    chmodSync(dataDir, 0o755);
    await (await openStore({ dataDir }, coreSchema)).destroy();
    loadSecretKey(undefined, dataDir);
    chmodSync(join(dataDir, 'secret-key'), 0o644);
    writeFileSync(join(dataDir, 'not-ours'), '', { mode: 0o644 });
    expect(keepFilesPrivate(dataDir)).toEqual([]);
    const store = await openStore({ dataDir }, coreSchema);
    await checkSeal(store, createSeal('a secret of more than thirty-two characters'));
    enterStore(dataDir);
    process.umask(umask);
    const modes = Object.fromEntries(
      readdirSync(dataDir).map((name) => [name, statSync(join(dataDir, name)).mode & 0o777]),
    );
    expect(modes).toMatchObject({ 'not-ours': 0o644, 'deskside.db': 0o600, 'deskside.db-wal': 0o600 });
    const { 'not-ours': _, ...ours } = modes;
    expect(new Set(Object.values(ours))).toEqual(new Set([0o600]));
    await store.destroy();
  });

  it('may be missing: the folder is made later', () => {
    const umask = process.umask();
    expect(keepFilesPrivate(join(folder(), 'none'))).toEqual([]);
    process.umask(umask);
  });
});
