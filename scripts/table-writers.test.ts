import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { sourcesIn } from './regexps.ts';

const writes = /\.(?:insertInto|updateTable|deleteFrom)\(\s*'(\w+)'/g;

/** By table, the folders of the BFF with a statement that writes to it. */
function foldersByTable(): Map<string, Set<string>> {
  const folders = new Map<string, Set<string>>();
  for (const path of sourcesIn('bff')) {
    if (path.startsWith('bff/core/store/migrations.ts')) continue;
    const folder = dirname(path).split('/').slice(0, 3).join('/');
    for (const [, table] of readFileSync(path, 'utf8').matchAll(writes))
      folders.set(table!, (folders.get(table!) ?? new Set()).add(folder));
  }
  return folders;
}

it('each table of the store is written by the files of one folder', () => {
  const folders = foldersByTable();
  expect(folders.get('operations')).toEqual(new Set(['bff/core/delivery']));
  expect([...folders].filter(([, writers]) => writers.size > 1)).toEqual([]);
});
