import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface LockFile {
  packages: Record<string, { integrity?: string }>;
}

// lockfile-lint ignores a package without any hash.
it('every package of the lock file has a SHA-512 hash', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as LockFile;
  const installed = Object.entries(packages).filter(([path]) => path !== '');
  expect(installed.length).toBeGreaterThan(100);
  const unhashed = installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
  expect(unhashed.map(([path]) => path)).toEqual([]);
});
