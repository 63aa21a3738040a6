import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildIfNeeded } from '../build-if-needed.ts';
import { run } from '../run.ts';
import { shrinkPng } from './png.ts';

const dir = 'e2e/screens/pictures';

// Also pictures of screens that are no more.
await rm(dir, { recursive: true, force: true });
await mkdir(dir, { recursive: true });
await buildIfNeeded();
const options = ['--config', 'e2e/playwright.config.ts', '--project=chromium', '--update-snapshots=all'];
const isDone = await run('playwright', ['test', ...options, 'screens.spec.ts'], { PICTURES: 'update' });
let bytes = 0;
const pictures = (await readdir(dir)).filter((name) => name.endsWith('.png'));
for (const name of pictures) {
  const small = shrinkPng(await readFile(join(dir, name)));
  await writeFile(join(dir, name), small);
  bytes += small.length;
}
console.log(`${pictures.length} pictures, ${Math.round(bytes / 1024)} kB`);
process.exitCode = isDone ? 0 : 1;
