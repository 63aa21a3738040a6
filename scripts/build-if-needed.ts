import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './run.ts';

/** The sources of `dist/`, without `node_modules/`. */
export const sources = [
  'widget',
  'bff',
  'service',
  'shared',
  'scripts/build',
  'vite.config.ts',
  'vitest.projects.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'tsconfig.json',
];
const results = ['dist/widget/manifest.json', 'dist/bff/main.js', 'dist/service/main.js'];

async function changedAt(path: string): Promise<number> {
  const info = await stat(path);
  if (!info.isDirectory()) return info.mtimeMs;
  const names = await readdir(path, { recursive: true });
  const times = await Promise.all(names.map(async (name) => (await stat(join(path, name))).mtimeMs));
  return Math.max(info.mtimeMs, ...times);
}

/**
 * Builds `dist/` unless it is newer than all of its sources.
 * @throws when the build fails
 */
export async function buildIfNeeded(): Promise<void> {
  const built = await Promise.all(results.map((file) => changedAt(file).catch(() => 0)));
  const changed = await Promise.all(sources.map(changedAt));
  if (Math.min(...built) > Math.max(...changed)) return;
  console.log('Building …');
  // Set because the NODE_ENV of a test run would build the development version.
  if (!(await run('vite', ['build', '--logLevel', 'warn'], { NODE_ENV: 'production' })))
    throw new Error('the build failed');
}
