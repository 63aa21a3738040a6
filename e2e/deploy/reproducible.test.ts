import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { buildIfNeeded, sources } from '../../scripts/build-if-needed.ts';
import { run } from '../../scripts/run.ts';

/** The SHA-256 of each file of `dist/` in a folder, by its path in it. */
async function hashesIn(dir: string): Promise<Record<string, string>> {
  const entries = await readdir(join(dir, 'dist'), { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const hashes = await Promise.all(
    files.map(async (file) =>
      createHash('sha256')
        .update(await readFile(file))
        .digest('hex'),
    ),
  );
  return Object.fromEntries(files.map((file, at) => [relative(dir, file), hashes[at]!]));
}

async function buildCopy(dir: string, env: Record<string, string>): Promise<void> {
  for (const source of sources) await cp(source, join(dir, source), { recursive: true });
  await symlink(resolve('node_modules'), join(dir, 'node_modules'));
  expect(await run('vite', ['build', '--logLevel', 'warn'], { NODE_ENV: 'production', ...env }, dir)).toBe(
    true,
  );
}

it('a second build of the same sources, in another folder, language and time zone, gives the same files', async () => {
  await buildIfNeeded();
  const dir = await mkdtemp(join(tmpdir(), 'deskside-reproducible-'));
  try {
    await buildCopy(dir, { TZ: 'Asia/Tokyo', LC_ALL: 'tr_TR.UTF-8' });
    const here = await hashesIn('.');
    expect(Object.keys(here)).toContain('dist/widget/manifest.json');
    expect(await hashesIn(dir)).toEqual(here);
  } finally {
    await rm(dir, { recursive: true });
  }
});
