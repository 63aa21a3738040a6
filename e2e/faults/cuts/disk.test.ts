import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createRandom } from '../schedules/random.ts';
import { createDisk } from './disk.ts';
import type { Deed } from './record.ts';

const root = mkdtempSync(join(tmpdir(), 'deskside-disk-'));
afterAll(() => rmSync(root, { recursive: true }));
const at = (name: string) => join(root, name);

const create = (name: string): Deed => ({ do: 'create', path: at(name) });
const write = (name: string, text: string, place = 0): Deed => ({
  do: 'write',
  path: at(name),
  at: place,
  bytes: Buffer.from(text),
});
const rename = (from: string, to: string): Deed => ({ do: 'rename', from: at(from), to: at(to) });
const sync = (name: string): Deed => ({ do: 'sync', path: at(name), begun: Infinity });

/** What many power cuts after these steps leave of some files. Null: no such name. */
function leftOf(names: readonly string[], deeds: readonly Deed[]): Set<string> {
  const disk = createDisk(root);
  for (const [nth, deed] of deeds.entries()) disk.do({ ...deed, nth });
  const random = createRandom(1);
  const left = Array.from({ length: 200 }, () => {
    const folder = mkdtempSync(join(root, 'cut-'));
    disk.cut(folder, random);
    const found = names
      .map((name) => join(folder, name))
      .map((path) => existsSync(path) && readFileSync(path));
    rmSync(folder, { recursive: true });
    return found.map((content) => (content ? [...new Set(content.toString())].join('') : '-')).join(' ');
  });
  return new Set(left);
}

it('keeps a file for sure once it and its folder were synced, and else all, nothing or some sectors', () => {
  const begun = [create('a'), write('a', 'x'.repeat(1_024)), sync('a'), write('a', 'y'.repeat(1_024))];
  expect(leftOf(['a'], [...begun, sync('a'), sync('')])).toEqual(new Set(['y']));
  expect(leftOf(['a'], [...begun, sync('')])).toEqual(new Set(['x', 'y', 'yx', 'xy']));
  expect(leftOf(['a'], begun)).toEqual(new Set(['-', 'x', 'y', 'yx', 'xy']));
});

it('replaces a name in one step, and leaves a file that moves to another folder in one of both at least', () => {
  const files = [create('a'), write('a', 'x'), sync('a'), create('b'), write('b', 'y'), sync('b'), sync('')];
  expect(leftOf(['a', 'b'], [...files, rename('a', 'b')])).toEqual(new Set(['x y', '- x']));
  const moved = [...files, { do: 'make folder', path: at('f') } as const, sync(''), rename('a', 'f/a')];
  expect(leftOf(['a', 'f/a'], moved)).toEqual(new Set(['x -', 'x x', '- x']));
  expect(leftOf(['a', 'f/a'], [...moved, sync('')])).not.toContain('- -');
});
