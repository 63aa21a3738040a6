import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { asset } from '../../scripts/build/asset.ts';

export interface NextBuild {
  /** The BFF's entry. */
  entry: string;
  remove(): Promise<void>;
}

/**
 * `dist/` as the next release has it: a mark in every script makes another script of it, under another name, which is
 * what the documents and the loader import. Nothing of it is precompressed.
 */
export async function makeNextBuild(): Promise<NextBuild> {
  const dir = await mkdtemp(join(tmpdir(), 'deskside-next-build-'));
  const widget = join(dir, 'dist/widget');
  await Promise.all([
    cp('dist/bff', join(dir, 'dist/bff'), { recursive: true }),
    cp('dist/widget', widget, { recursive: true, filter: (path) => !/\.(br|gz)$/.test(path) }),
    cp('package.json', join(dir, 'package.json')),
    symlink(resolve('node_modules'), join(dir, 'node_modules')),
  ]);
  const renamed = new Map<string, string>();
  for (const name of await readdir(join(widget, 'assets'))) {
    const file = join(widget, 'assets', name);
    const next = asset(name.slice(0, -'-XXXXXXXX.js'.length), `${await readFile(file, 'utf8')}/* next */`);
    renamed.set(`/assets/${name}`, next.path);
    await rm(file);
    await writeFile(join(widget, next.path), next.code);
  }
  for (const name of await readdir(widget)) {
    if (!/\.(js|html)$/.test(name)) continue;
    const file = join(widget, name);
    const text = await readFile(file, 'utf8');
    const changed = text.replace(/\/assets\/[\w.-]+?\.js/g, (path) => renamed.get(path) ?? path);
    await writeFile(file, changed);
  }
  return {
    entry: join(dir, 'dist/bff/main.js'),
    remove: () => rm(dir, { recursive: true, force: true }),
  };
}
