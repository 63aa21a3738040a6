import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { makeArticleFolder } from '../../bff/extras/articles/testing/article-folder.ts';
import { buildIfNeeded } from '../../scripts/build-if-needed.ts';

/* The build: from the sources, articles are not parsed in a thread. */

it('an article that would take minutes to parse is named, and the others are read [overload-44]', async () => {
  await buildIfNeeded();
  const dir = makeArticleFolder({
    'en/a.md': '# A\n\n[B](slow.md)',
    'en/slow.md': `# Slow\n\n${'_a*'.repeat(33_000)}`,
    'en/z.md': '# Z',
  });
  const check = promisify(execFile)(process.execPath, ['dist/bff/main.js', 'articles', 'check', dir]);
  const { code, stdout } = (await check.catch((error: unknown) => error)) as {
    code?: number;
    stdout: string;
  };
  expect([code, stdout]).toEqual([
    1,
    'en/slow.md:1: its marks are too many, are nested too deep, or take too long to read\narticles: 2 en\n',
  ]);
});
