import { createHash } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { sources } from '../../scripts/build-if-needed.ts';
import { run } from '../../scripts/run.ts';

/** Builds a copy of the sources. Resolves to the SHA-256 of each file of its `dist/`, by path. */
async function buildCopy(dir: string, env: Record<string, string>): Promise<Record<string, string>> {
  for (const source of sources) await cp(source, join(dir, source), { recursive: true });
  await symlink(resolve('node_modules'), join(dir, 'node_modules'));
  expect(await run('vite', ['build', '--logLevel', 'warn'], { NODE_ENV: 'production', ...env }, dir)).toBe(
    true,
  );
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
  return Object.fromEntries(files.map((file, at) => [file.slice(dir.length + 1), hashes[at]!]));
}

// Two whole builds, while other tests may use the processors.
const timeout = 300_000;

it(
  'two builds of the same sources give the same files in different folders, languages and time zones',
  { timeout },
  async () => {
    const dir = await mkdtemp(join(tmpdir(), 'deskside-reproducible-'));
    try {
      const [one, other] = await Promise.all([
        buildCopy(join(dir, 'one'), { TZ: 'UTC', LC_ALL: 'C' }),
        buildCopy(join(dir, 'another-folder'), { TZ: 'Asia/Tokyo', LC_ALL: 'tr_TR.UTF-8' }),
      ]);
      expect(Object.keys(one)).toContain('dist/widget/manifest.json');
      expect(other).toEqual(one);
    } finally {
      await rm(dir, { recursive: true });
    }
  },
);
