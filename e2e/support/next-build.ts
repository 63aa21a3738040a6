import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export type NextBuild = Awaited<ReturnType<typeof makeNextBuild>>;

/**
 * `dist/` as the next release has it: a mark in every script makes another script of it, under another name, which is
 * what the documents and the loader import. Nothing of it is precompressed.
 */
export async function makeNextBuild() {
  const dir = await mkdtemp(join(tmpdir(), 'deskside-next-build-'));
  const widget = join(dir, 'dist/widget');
  await Promise.all([
    cp('dist/bff', join(dir, 'dist/bff'), { recursive: true }),
    cp('dist/widget', widget, { recursive: true, filter: (path) => !/\.(br|gz)$/.test(path) }),
    cp('package.json', join(dir, 'package.json')),
    symlink(resolve('node_modules'), join(dir, 'node_modules')),
  ]);
  const names = await readdir(join(widget, 'assets'));
  const renamed = new Map(names.map((name) => [name, name.replace(/.{8}\.js$/, 'Next0000.js')]));
  const rename = (text: string) => text.replace(/[\w.-]+-[\w-]{8}\.js/g, (name) => renamed.get(name) ?? name);
  for (const [name, next] of renamed) {
    const file = join(widget, 'assets', name);
    await writeFile(join(widget, 'assets', next), `${rename(await readFile(file, 'utf8'))}/* next */`);
    await rm(file);
  }
  for (const name of await readdir(widget)) {
    if (!/\.(js|html)$/.test(name)) continue;
    const file = join(widget, name);
    await writeFile(file, rename(await readFile(file, 'utf8')));
  }
  return {
    /** The BFF's entry. */
    entry: join(dir, 'dist/bff/main.js'),
    remove: () => rm(dir, { recursive: true, force: true }),
  };
}
