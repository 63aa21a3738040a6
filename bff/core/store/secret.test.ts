import { mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadSecretKey } from './secret.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'deskside-store-'));

describe('the secret key', () => {
  it('is created once, for this user only, and kept', () => {
    const dataDir = folder();
    const key = loadSecretKey(undefined, dataDir);
    expect(key).toHaveLength(43);
    expect(loadSecretKey(undefined, dataDir)).toBe(key);
    expect(statSync(join(dataDir, 'secret-key')).mode & 0o777).toBe(0o600);
    expect(loadSecretKey('given by the operator', dataDir)).toBe('given by the operator');
  });

  it('is not read from an empty file', () => {
    const dataDir = folder();
    writeFileSync(join(dataDir, 'secret-key'), '');
    expect(() => loadSecretKey(undefined, dataDir)).toThrow('secret-key');
  });
});
