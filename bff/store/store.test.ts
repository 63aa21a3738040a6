import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkSeal, openStore } from './open.ts';
import { createSeal } from './seal.ts';
import { loadSecretKey } from './secret.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'deskside-store-'));

describe('the store', () => {
  it('opens again with what it held', async () => {
    const dataDir = folder();
    const seal = createSeal('a secret of more than thirty-two characters');
    const first = await openStore({ dataDir });
    await checkSeal(first, seal);
    await first.destroy();
    const again = await openStore({ dataDir });
    await expect(checkSeal(again, seal)).resolves.toBeUndefined();
    await again.destroy();
  });

  it('is refused under another secret key, so that nothing in it is taken for lost', async () => {
    const store = await openStore('memory');
    await checkSeal(store, createSeal('a secret of more than thirty-two characters'));
    await expect(checkSeal(store, createSeal('another one, just as long as it must be'))).rejects.toThrow(
      'SECRET_KEY',
    );
    await store.destroy();
  });

  it('that is corrupt is named, and not started', async () => {
    const dataDir = folder();
    writeFileSync(
      join(dataDir, 'deskside.db'),
      'no database at all, but long enough to be looked at'.repeat(50),
    );
    await expect(openStore({ dataDir })).rejects.toThrow(join(dataDir, 'deskside.db'));
  });
});

it('a store with a damaged page is named, and not started', async () => {
  const dataDir = folder();
  const store = await openStore({ dataDir });
  await store.destroy();
  const file = join(dataDir, 'deskside.db');
  const bytes = readFileSync(file);
  const pageSize = bytes.readUInt16BE(16);
  for (let page = 1; page < bytes.length / pageSize; page += 1)
    bytes.fill(0x5a, page * pageSize, page * pageSize + 64);
  writeFileSync(file, bytes);
  await expect(openStore({ dataDir })).rejects.toThrow(/deskside\.db.*damaged|malformed/);
});

describe('the secret key', () => {
  it('is made once, for this user only, and kept', () => {
    const dataDir = folder();
    const key = loadSecretKey(undefined, dataDir);
    expect(key).toHaveLength(43);
    expect(loadSecretKey(undefined, dataDir)).toBe(key);
    expect(statSync(join(dataDir, 'secret-key')).mode & 0o777).toBe(0o600);
    expect(loadSecretKey('given by the operator', dataDir)).toBe('given by the operator');
  });

  it('is not taken from an empty file', () => {
    const dataDir = folder();
    writeFileSync(join(dataDir, 'secret-key'), '');
    expect(() => loadSecretKey(undefined, dataDir)).toThrow('secret-key');
  });
});
