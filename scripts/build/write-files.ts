import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { precompress } from './precompress.ts';

/** Replaces a folder by these files, with compressed copies of its scripts and documents. */
export async function writeFiles(folder: string, files: Record<string, string>): Promise<void> {
  const paths = new Map(Object.entries(files).map(([name, content]) => [join(folder, name), content]));
  const folders = new Set([...paths.keys()].map((path) => dirname(path)));
  await rm(folder, { recursive: true, force: true });
  for (const each of folders) await mkdir(each, { recursive: true });
  await Promise.all([...paths].map(([path, content]) => writeFile(path, content)));
  for (const each of folders) await precompress(each);
}
