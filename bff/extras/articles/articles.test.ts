import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import MiniSearch from 'minisearch';
import { searchOptions } from '../../../shared/contract/article-search.ts';
import { makeArticleFolder, onePixel, shopArticles, writeArticle } from './testing/article-folder.ts';
import { openArticles } from './articles.ts';
import { bounds } from './bounds.ts';
import { leftOut, readFolder } from './read-folder.ts';

/** Opens a folder of articles with its own clock. The test sets the votes. */
async function opened(files: Record<string, string | Uint8Array>, waitMs = 60_000) {
  const dir = makeArticleFolder(files);
  const reports: unknown[] = [];
  const counts: { article: string; helped: number; notHelped: number }[] = [];
  const clock = { elapsed: 0 };
  const store = { isStuck: false };
  const articles = await openArticles({
    dir,
    votes: { counts: () => (store.isStuck ? new Promise<never>(() => {}) : Promise.resolve(counts)) },
    log: { report: (code, fields) => reports.push({ code, ...fields }) },
    elapsed: () => clock.elapsed,
    waitMs,
  });
  return { dir, reports, counts, clock, store, articles };
}
const idsOf = (list: { id: string }[] | null) => list?.map(({ id }) => id);

it('a folder without articles is served as one, and the operator hears of it', async () => {
  const { articles, reports } = await opened({});
  expect([articles.top('en'), articles.edition().list('en')]).toEqual([[], []]);
  expect(reports).toEqual([{ code: 'articles_none' }]);
});

describe('the language of an article', () => {
  it('falls back to English, then to the first language that has the article, and the answer names it', async () => {
    const { articles } = await opened(shopArticles);
    const edition = articles.edition();
    expect(edition.list('de')).toEqual(
      [
        { id: 'returns', title: 'Rücksendung', summary: expect.stringContaining('30 Tagen') },
        { id: 'delivery', title: 'Delivery times', summary: expect.any(String), lang: 'en' },
        { id: 'vat', title: 'Mehrwertsteuer', summary: 'Die Rechnung liegt bei.' },
      ].toSorted((a, b) => a.title.localeCompare(b.title, 'de')),
    );
    expect(edition.article('ar', 'vat')).toMatchObject({ title: 'Mehrwertsteuer', lang: 'de', dir: 'ltr' });
    expect(edition.article('en', 'returns')).not.toHaveProperty('lang');
    expect(edition.list('tlh')).toBeNull();
    expect(edition.article('en', 'constructor')).toBeNull();
  });

  it.each([
    ['en', 'Returning a parcel', 'return', 'PARCAL returning'],
    ['de', 'Größe ändern', 'grosse andern', 'ÄNDERUNG'],
    ['ja', '返品について', '返品', '返品したい'],
    ['th', 'การคืนสินค้า', 'คืนสินค้า', 'สินค้า'],
    ['ar', 'إرجاع طرد', 'إِرجاع', 'طرد'],
  ])('%s: search finds %j by other spellings of its words', async (_, title, ...queries) => {
    const { articles } = await opened({
      'en/a.md': `# ${title}\n\nText`,
      'en/b.md': '# Gift cards\n\nText',
    });
    const index = MiniSearch.loadJSON((await articles.edition().search('en'))!, searchOptions);
    for (const query of queries) expect([query, index.search(query)[0]?.id]).toEqual([query, 'a']);
  });
});

describe('the most useful articles', () => {
  it('are the pinned ones by their number, then those that helped most, then by title', async () => {
    const article = (title: string, pinned?: number) =>
      `${pinned === undefined ? '' : `---\npinned: ${pinned}\n---\n`}# ${title}\n\nText`;
    const { articles, counts, clock } = await opened({
      'en/a.md': article('A'),
      'en/b.md': article('B'),
      'en/c.md': article('C', 2),
      'en/d.md': article('D', 1),
      'en/e.md': article('E'),
      'en/f.md': article('F'),
    });
    expect(idsOf(articles.top('en'))).toEqual(['d', 'c', 'a', 'b']);
    counts.push({ article: 'a', helped: 1, notHelped: 3 }, { article: 'f', helped: 2, notHelped: 1 });
    clock.elapsed += bounds.checkEveryMs;
    await articles.freshEdition();
    expect(idsOf(articles.top('en'))).toEqual(['d', 'c', 'f', 'b']);
  });
});

describe('a change of the folder', () => {
  it('is visible after half a minute, under another hash', async () => {
    const { dir, articles, clock } = await opened(shopArticles);
    const { hash } = articles.edition();
    writeArticle(dir, 'en/gifts.md', '# Gift cards\n\nText');
    clock.elapsed += bounds.checkEveryMs - 1;
    expect((await articles.freshEdition()).hash).toBe(hash);
    clock.elapsed += 1;
    const edition = await articles.freshEdition();
    expect(edition.has('gifts')).toBe(true);
    expect(edition.hash).not.toBe(hash);
  });

  it('that takes long to read delays no request', async () => {
    const { articles, clock, store } = await opened(shopArticles, 0);
    store.isStuck = true;
    clock.elapsed += bounds.checkEveryMs;
    expect((await articles.freshEdition()).has('returns')).toBe(true);
  });

  it('without an effect keeps the hash, also on another machine', async () => {
    const [one, two] = await Promise.all([opened(shopArticles), opened(shopArticles)]);
    expect(one.articles.edition().hash).toBe(two.articles.edition().hash);
  });

  it('that removes the folder keeps what was read, and is reported', async () => {
    const { dir, articles, clock, reports } = await opened(shopArticles);
    rmSync(dir, { recursive: true });
    clock.elapsed += bounds.checkEveryMs;
    expect((await articles.freshEdition()).has('returns')).toBe(true);
    expect(reports).toMatchObject([{ code: 'articles_not_read' }]);
  });

  it('of an image never serves the old image under the new hash', async () => {
    const { dir, articles } = await opened(shopArticles);
    expect(await articles.imageBytes('en/box.png')).toEqual(new Uint8Array(onePixel));
    writeArticle(dir, 'en/box.png', 'something else');
    expect(await articles.imageBytes('en/box.png')).toBeNull();
  });
});

describe('a broken article', () => {
  const broken = {
    'en/no-title.md': 'Text',
    'en/Big Name.md': '# Title',
    'tlh/klingon.md': '# Title',
    'en/deep/inside.md': '# Title',
    'en/large.md': `# Title\n\n${'x'.repeat(bounds.articleBytes)}`,
    'en/latin1.md': Buffer.from('# Gr\xfc\xdfe', 'latin1'),
    'en/large.png': Buffer.alloc(bounds.imageBytes + 1),
  };

  it('is left out with one warning, and the others are served', async () => {
    const { articles, reports, clock, dir } = await opened({ ...shopArticles, ...broken });
    expect(idsOf(articles.edition().list('en'))?.toSorted()).toEqual(['delivery', 'returns', 'vat']);
    expect(reports.map((report) => Object(report).file as string).toSorted()).toEqual(
      Object.keys(broken).toSorted(),
    );
    writeArticle(dir, 'en/new.md', '# New');
    clock.elapsed += bounds.checkEveryMs;
    expect((await articles.freshEdition()).has('new')).toBe(true);
    expect(reports).toHaveLength(Object.keys(broken).length);
  });

  it('with HTML or a broken link as its only error is served, without a warning', async () => {
    const { articles, reports } = await opened({ 'en/a.md': '# A\n\n<b>x</b> [y](gone.md)' });
    expect(articles.edition().article('en', 'a')!.nodes).toEqual([
      { type: 'paragraph', children: ['x', ' ', 'y'] },
    ]);
    expect(reports).toEqual([]);
  });

  it('with a link to a heading that is not there is served, and reported', async () => {
    const { errors } = await readFolder(
      makeArticleFolder({
        'en/a.md':
          '# A\n\n## Übersicht\n\n[1](#u\u0308bersicht) [2](#a) [3](b.md#x) [4](#gone) [5](b.md#gone) [6](c.md#x)',
        'en/b.md': '# B\n\n## X',
        'de/c.md': '# C',
      }),
    );
    expect([...errors]).toEqual([
      [
        'en/a.md',
        [
          { kind: 'missing_part', line: 5, detail: '#gone' },
          { kind: 'missing_part', line: 5, detail: '#gone' },
        ],
      ],
    ]);
  });

  it.each(['NFC', 'NFD'] as const)('is not one whose image has a name in %s', async (form) => {
    const name = 'größe한.png';
    const { articles } = await opened({
      [`en/${name.normalize(form)}`]: onePixel,
      'en/a.md': `# A\n\n![](${name.normalize('NFC')}) ![](${encodeURI(name.normalize('NFD'))})`,
    });
    const image = { type: 'image', path: `en/${name.normalize('NFC')}`, alt: '' };
    expect(articles.edition().article('en', 'a')!.nodes).toEqual([
      { type: 'paragraph', children: [image, ' ', image] },
    ]);
    const { path } = articles.edition().image(`en/${name.normalize('NFD')}`)!;
    expect(await articles.imageBytes(path)).toEqual(new Uint8Array(onePixel));
  });

  it('is not one with foreign front matter, of which the log has one line for all', async () => {
    const text = '---\ntags: [a]\n---\n# A';
    const { articles, reports } = await opened({ 'en/a.md': text, 'en/b.md': text, 'en/c.md': '# C' });
    expect(idsOf(articles.edition().list('en'))).toHaveLength(3);
    expect(reports).toMatchObject([
      { code: 'front_matter_ignored', file: 'en/a.md', cause: expect.stringMatching(/tags \(and in 1 more/) },
    ]);
  });

  it('that is nested deeper than the parser can go does not affect the others', async () => {
    const dir = makeArticleFolder({ ...shopArticles, 'en/nested.md': `# Nested\n\n${'>'.repeat(9_000)} x` });
    const content = await readFolder(dir);
    expect([...content.articles.get('en')!.keys()]).toContain('returns');
    expect(leftOut(content)).toEqual([{ path: 'en/nested.md', error: { kind: 'too_complex', line: 1 } }]);
  });

  it('that has more nodes than a page can show does not affect the others', async () => {
    const dir = makeArticleFolder({ ...shopArticles, 'en/many.md': `# Many\n\n${'- a\n\n'.repeat(19_000)}` });
    const content = await readFolder(dir);
    expect([...content.articles.get('en')!.keys()]).toContain('returns');
    expect(leftOut(content)).toMatchObject([{ path: 'en/many.md', error: { kind: 'too_complex' } }]);
  });

  it('is not reported for a README beside the languages or a hidden file', async () => {
    const content = await readFolder(makeArticleFolder({ 'README.md': 'For editors', 'en/.draft.md': 'x' }));
    expect(leftOut(content)).toEqual([]);
  });
});

describe('a symbolic link', () => {
  it('to a file or a folder outside is not followed [articles-4]', async () => {
    const outside = makeArticleFolder({ 'secret.md': '# Secret', 'secret.png': onePixel });
    const dir = makeArticleFolder({ 'en/a.md': '# A\n\n![x](secret.png)' });
    symlinkSync(join(outside, 'secret.md'), join(dir, 'en/secret.md'));
    symlinkSync(join(outside, 'secret.png'), join(dir, 'en/secret.png'));
    symlinkSync(outside, join(dir, 'de'));
    const content = await readFolder(dir);
    expect([...content.articles.keys()]).toEqual(['en']);
    expect([...content.articles.get('en')!.keys()]).toEqual(['a']);
    expect(content.images.size).toBe(0);
  });

  it('that replaces an image is not followed [articles-5]', async () => {
    const { dir, articles } = await opened(shopArticles);
    const outside = makeArticleFolder({ 'box.png': onePixel });
    rmSync(join(dir, 'en/box.png'));
    symlinkSync(join(outside, 'box.png'), join(dir, 'en/box.png'));
    expect(await articles.imageBytes('en/box.png')).toBeNull();
  });

  it('that replaces the folder of a language is not followed', async () => {
    const { dir, articles, clock } = await opened({ 'en/a.md': '# A', 'de/b.md': '# B' });
    const outside = makeArticleFolder({ 'c.md': '# C' });
    rmSync(join(dir, 'de'), { recursive: true });
    symlinkSync(outside, join(dir, 'de'));
    mkdirSync(join(dir, 'fr'));
    clock.elapsed += bounds.checkEveryMs;
    expect(idsOf((await articles.freshEdition()).list('de'))).toEqual(['a']);
  });
});
