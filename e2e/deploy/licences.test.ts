import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { buildIfNeeded } from '../../scripts/build-if-needed.ts';

const notices = [
  'dist/widget/licences/app.md',
  'dist/widget/licences/playground.md',
  'dist/widget/licences/proof-worker.md',
  'dist/bff/THIRD-PARTY-LICENSES.md',
  'dist/service/THIRD-PARTY-LICENSES.md',
];

it('the notices of a build name every bundled dependency with its licence', async () => {
  await buildIfNeeded();
  const { dependencies } = JSON.parse(await readFile('package.json', 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const texts = await Promise.all(notices.map((file) => readFile(file, 'utf8')));
  const named = new Set(
    texts.flatMap((text) => [...text.matchAll(/^## (\S+ - \S+) \([\w.-]+\)$/gm)].map(([, name]) => name)),
  );
  const expected = Object.entries(dependencies).map(([name, version]) => `${name} - ${version}`);
  expect(expected.filter((name) => !named.has(name))).toEqual([
    `better-sqlite3 - ${dependencies['better-sqlite3']}`,
  ]);
});
