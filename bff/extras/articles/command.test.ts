import { expect, it } from 'vitest';
import { createVotes } from '../../extras/articles/votes.ts';
import { openStore, checkSeal } from '../../core/store/open.ts';
import { createSeal } from '../../core/store/seal.ts';
import { makeArticleFolder, onePixel, shopArticles } from '../../extras/articles/testing/article-folder.ts';
import { testSecretKey } from '../../testing/bff.ts';
import { runTestCommand } from '../../testing/operator/command-line.ts';
import { schema } from '../../extras/index.ts';

it('articles check reports each error and each warning with its file and its line, and ends with 1', async () => {
  const dir = makeArticleFolder({
    ...shopArticles,
    'en/a.md':
      '---\npinned: 1\n---\n# A\n\n<b>bold</b>\n\n[x](gone.md)\n\n![y](gone.png) ![z](https://a.example/z.png)\n',
    'en/b.md': 'No title',
    'en/c.md': '---\npin: 1\n---\n# C',
    'en/Bad Name.md': '# D',
    'english/e.md': '# E',
    'en/f.md': `# F\n\n${'x'.repeat(100_001)}`,
    'en/g.png': onePixel,
  });
  const { code, stdout } = await runTestCommand(['articles', 'check', dir]);
  const lines = stdout.trim().split('\n');
  expect(code).toBe(1);
  expect(lines.map((line) => /^([^:]+:\d+): (\D{9})/.exec(line)?.slice(1).join(' ') ?? line)).toEqual([
    'en/Bad Name.md:1 the name ',
    'english/e.md:1 the folde',
    'en/a.md:6 HTML is l',
    'en/a.md:6 HTML is l',
    'en/a.md:8 the link ',
    'en/a.md:10 there is ',
    'en/a.md:10 images mu',
    'en/b.md:1 there is ',
    'en/c.md:1 warning: ',
    'en/f.md:1 the file ',
    'articles: 2 de, 4 en',
  ]);
  expect(stdout).toContain('gone.md');
});

it('articles check without an error counts the articles and ends with 0; the folder may come from the settings', async () => {
  const env = { ARTICLES_DIR: makeArticleFolder(shopArticles) };
  const { code, stdout } = await runTestCommand(['articles', 'check'], env);
  expect([code, stdout]).toEqual([0, 'articles: 2 de, 2 en\n']);
});

it('articles check without a folder, or with a missing one, ends with 2', async () => {
  expect(await runTestCommand(['articles', 'check'])).toMatchObject({ code: 2 });
  expect(await runTestCommand(['articles', 'check', '/nowhere'])).toMatchObject({ code: 2 });
});

it('articles votes prints the answers of customers', async () => {
  const dataDir = makeArticleFolder({});
  const env = {
    SUPPORT_API_URL: 'https://tickets.test',
    SUPPORT_API_KEY: 'key',
    ALLOWED_ORIGINS: 'https://shop.test',
    SECRET_KEY: testSecretKey,
    DATA_DIR: dataDir,
  };
  const store = await openStore({ dataDir }, schema);
  await checkSeal(store, createSeal(testSecretKey));
  const votes = createVotes({ store, now: Date.now });
  await votes.add('returns', true);
  await votes.add('returns', false);
  await votes.add('returns', true);
  await store.destroy();
  expect(await runTestCommand(['articles', 'votes'], env)).toMatchObject({
    code: 0,
    stdout: 'returns  2 helped, 1 not\n',
  });
  expect((await runTestCommand(['articles', 'votes', '--json'], env)).stdout).toBe(
    '[{"article":"returns","helped":2,"not_helped":1}]',
  );
});
