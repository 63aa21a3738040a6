import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { run } from './run.ts';

const native = 'better-sqlite3';
/** One binary for all versions of Node from 22 on, which is in the package itself. */
const portable = `${native}@13.2.0`;
/** Folders that are not part of the sources. */
const notCopied = new Set([
  'node_modules',
  '.git',
  'dist',
  'dist-faults',
  '.data',
  'test-results',
  'coverage',
]);
const projects = ['bff', 'service', 'repo', 'deploy', 'faults'];

/** The Node 24 binary of the npm package `node`. */
async function findNode(): Promise<string> {
  const args = ['exec', '--yes', '--package', 'node@24', '--', 'node', '-p', 'process.execPath'];
  const { stdout } = await promisify(execFile)('npm', args);
  return stdout.trim();
}

/** The sources, and the packages by links: all except the native one, whose binary is for another Node. */
async function copyTo(dir: string): Promise<void> {
  for (const name of await readdir('.'))
    if (!notCopied.has(name)) await cp(name, join(dir, name), { recursive: true });
  await mkdir(join(dir, 'node_modules'));
  for (const name of await readdir('node_modules'))
    if (name !== native && !name.startsWith('.vite'))
      await symlink(resolve('node_modules', name), join(dir, 'node_modules', name));
}

/**
 * Adds the native package with a binary that this Node can load. Returns which package it is, or null when there is
 * none.
 */
async function addNative(dir: string, env: NodeJS.ProcessEnv): Promise<'same' | 'portable' | null> {
  const to = join(dir, 'node_modules', native);
  await cp(join('node_modules', native), to, {
    recursive: true,
    filter: (path) => !path.includes(join(native, 'build')),
  });
  if (await run(resolve('node_modules/.bin/prebuild-install'), [], env, to)) return 'same';
  console.log(`No binary of this ${native} can be fetched: ${portable} takes its place.`);
  const aside = join(dir, 'portable');
  await mkdir(aside);
  if (!(await run('npm', ['install', '--no-save', '--prefix', aside, portable], env, aside))) return null;
  await rm(to, { recursive: true });
  await cp(join(aside, 'node_modules'), join(dir, 'node_modules'), { recursive: true });
  await rm(aside, { recursive: true });
  return 'portable';
}

/**
 * Runs the tests that need no browser on Node 24, in a copy of the repository.
 * @param args of vitest: files, or projects in place of all
 */
async function main(args: string[]): Promise<boolean> {
  const node = await findNode();
  const env = { PATH: [dirname(node), process.env['PATH']].join(delimiter) };
  const dir = await mkdtemp(join(tmpdir(), 'deskside-node24-'));
  try {
    await copyTo(dir);
    const binary = await addNative(dir, env);
    if (!binary) return false;
    await run(node, ['-p', '`Node ${process.version}`'], env, dir);
    const build = ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'];
    if (!(await run(node, build, env, dir))) return false;
    const chosen = args.includes('--project') ? [] : projects.flatMap((name) => ['--project', name]);
    // This test looks for the files that the container image copies from the original package.
    const left = binary === 'same' ? [] : ['--exclude', 'e2e/deploy/image.test.ts'];
    return await run(node, ['node_modules/vitest/vitest.mjs', 'run', ...chosen, ...left, ...args], env, dir);
  } finally {
    await rm(dir, { recursive: true });
  }
}

if (!(await main(process.argv.slice(2)))) process.exitCode = 1;
