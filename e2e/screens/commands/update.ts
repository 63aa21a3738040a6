import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { screens } from '../screens.ts';
import { variants } from '../variants.ts';
import { buildIfNeeded } from '../../../scripts/build-if-needed.ts';
import { run } from '../../../scripts/run.ts';
import { shrinkPng } from './png.ts';

const dir = 'e2e/screens/pictures';
const known = screens.map(({ name }) => name);
// If names are given, only these screens are drawn.
const named = process.argv.slice(2);
const unknown = named.filter((name) => !known.includes(name));
if (unknown.length > 0) throw new Error(`no such screen: ${unknown.join(', ')}`);

const picturesOf = (names: string[]) =>
  new Set(names.flatMap((name) => variants.map((variant) => `${name}-${variant.name}.png`)));
const kept = named.length > 0 ? picturesOf(known.filter((name) => !named.includes(name))) : new Set();
const list = async () => (await readdir(dir)).filter((file) => file.endsWith('.png') && !kept.has(file));

await mkdir(dir, { recursive: true });
// Also pictures of removed screens.
for (const file of await list()) await rm(join(dir, file));
await buildIfNeeded();
const options = ['--config', 'e2e/playwright.config.ts', '--project=chromium', '--update-snapshots=all'];
const only = named.length > 0 ? ['--grep', ` (${named.join('|')}): `] : [];
const isDone = await run('playwright', ['test', ...options, ...only, 'screens.spec.ts'], {
  PICTURES: 'update',
});
let bytes = 0;
const drawn = await list();
for (const file of drawn) {
  const small = shrinkPng(await readFile(join(dir, file)));
  await writeFile(join(dir, file), small);
  bytes += small.length;
}
console.log(`${drawn.length} pictures, ${Math.round(bytes / 1024)} kB`);
process.exitCode = isDone ? 0 : 1;
