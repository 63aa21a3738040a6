import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkSeal, openStore } from './open.ts';
import { createSeal } from './seal.ts';
import { coreSchema } from './migrations.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'deskside-store-'));

describe('the store', () => {
  it('opens again with its content', async () => {
    const dataDir = folder();
    const seal = createSeal('a secret of more than thirty-two characters');
    const first = await openStore({ dataDir }, coreSchema);
    await checkSeal(first, seal);
    await first.destroy();
    const again = await openStore({ dataDir }, coreSchema);
    await expect(checkSeal(again, seal)).resolves.toBeUndefined();
    await again.destroy();
  });

  it('is refused under another secret key, so that nothing in it counts as lost [storage-6]', async () => {
    const store = await openStore('memory', coreSchema);
    await checkSeal(store, createSeal('a secret of more than thirty-two characters'));
    await expect(checkSeal(store, createSeal('another one, just as long as it must be'))).rejects.toThrow(
      'SECRET_KEY',
    );
    await store.destroy();
  });

  it('that is corrupt is refused with the name of its file', async () => {
    const dataDir = folder();
    writeFileSync(
      join(dataDir, 'deskside.db'),
      'no database at all, but long enough to be looked at'.repeat(50),
    );
    await expect(openStore({ dataDir }, coreSchema)).rejects.toThrow(join(dataDir, 'deskside.db'));
  });
});
