import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const folder = 'bff/extras';
const list = 'bff/extras/list.ts';
const extras = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const isSlow = Boolean(process.env['SLOW']);
/** `SLOW=1` removes each extra by itself, too, and runs the import rules and all tests of what is left. */
const tests = isSlow ? [] : ['bff/app'];

let copy: string;
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'deskside-without-'));
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const files = execFileSync('git', listed, { encoding: 'utf8' });
  for (const file of files.split('\0'))
    if (/^(bff|shared|scripts|widget|service)\/|^[^/]+$/.test(file)) cpSync(file, join(copy, file));
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  // Tests of all extras together.
  for (const file of readdirSync(join(copy, folder)))
    if (/^test-|\.test\.ts$/.test(file)) rmSync(join(copy, folder, file));
});
afterAll(() => rmSync(copy, { recursive: true }));

/** Removes the folders of these extras, and their lines in the list. */
function remove(names: readonly string[]): void {
  for (const name of names) rmSync(join(copy, folder, name), { recursive: true });
  const lines = readFileSync(list, 'utf8').split('\n');
  const others = lines.filter((line) => !names.some((name) => line.includes(`./${name}/`)));
  expect(others).toHaveLength(lines.length - names.length);
  // Without any line it would be no module.
  writeFileSync(join(copy, list), `${others.join('\n')}export {};\n`);
}

/** Runs a command of a package in the copy. Its output when it fails, else nothing. */
const errorsOf = (command: string, ...args: string[]): Promise<string> =>
  promisify(execFile)(join('node_modules/.bin', command), args, { cwd: copy, maxBuffer: 50e6 }).then(
    () => '',
    ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
  );
const types = () => errorsOf('tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', 'types', '-p', 'bff');

/** What a file of the BFF imports of extras, such as `mails`. */
const importedBy = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/ from '(\.[^']+)'/g)].flatMap(
    ([, path]) => /^bff\/extras\/([\w-]+)\//.exec(join(file, '..', path!))?.[1] ?? [],
  );

it.each(['core', 'cli', ...extras])('%s and its tests import no extra, or only themselves', (name) => {
  const part = extras.includes(name) ? join(folder, name) : join('bff', name);
  const files = readdirSync(part, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(part, file));
  const imported = files.flatMap((file) => importedBy(file).map((extra) => `${file}: ${extra}`));
  expect(imported.filter((line) => !line.endsWith(`: ${name}`))).toEqual([]);
});

describe('the BFF', () => {
  it.runIf(isSlow).each(extras)('without the extra %s has no error of types', async (name) => {
    remove([name]);
    expect(await types()).toBe('');
    cpSync(join(folder, name), join(copy, folder, name), { recursive: true });
  });

  it.runIf(isSlow)('without any extra breaks no rule of imports', async () => {
    remove(extras);
    expect(await errorsOf('depcruise', '--config', '.dependency-cruiser.cjs', 'bff', 'shared')).toBe('');
  });

  it(
    'without any extra has no error of types and passes the tests of what is left',
    { timeout: 300_000 },
    async () => {
      remove(extras);
      expect(await types()).toBe('');
      expect(await errorsOf('vitest', 'run', '--project', 'bff', ...tests)).toBe('');
    },
  );
});
