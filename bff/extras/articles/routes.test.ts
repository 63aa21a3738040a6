import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { articlePaths } from '../../../shared/contract/article-paths.ts';
import { gateHeader } from '../../../shared/contract/paths.ts';
import { makeArticleFolder, onePixel, shopArticles } from './testing/article-folder.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';

let bff: TestBff;
let hash: string;
beforeAll(async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  bff = await startBff({
    values: {
      ARTICLES_DIR: makeArticleFolder({ ...shopArticles, 'en/plan.svg': svg, 'en/notes.txt': 'x' }),
    },
  });
  hash = ((await (await bff.app.request(articlePaths.current)).json()) as { data: { hash: string } }).data
    .hash;
});
afterAll(() => bff.stop());

const get = (path: string, headers: Record<string, string> = {}) => bff.app.request(path, { headers });

it('the panel comes where their folder has none', async () => {
  const none = await startBff({ values: { ARTICLES_DIR: makeArticleFolder({}) } });
  expect((await none.app.request('/frame')).status).toBe(200);
  await none.stop();
});

describe('articles', () => {
  it('are public, set no cookie, and never change under their hash', async () => {
    const paths = [
      articlePaths.list(hash, 'de'),
      articlePaths.search(hash, 'de'),
      articlePaths.article(hash, 'de', 'returns'),
      articlePaths.file(hash, 'en/box.png'),
    ];
    for (const path of paths) {
      const answer = await get(path, { 'Sec-Fetch-Site': 'cross-site' });
      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(answer.headers.get('Set-Cookie')).toBeNull();
    }
  });

  it('are compressed for clients that accept it, and not sent again to clients that have them', async () => {
    const path = articlePaths.article(hash, 'en', 'returns');
    const answer = await get(path, { 'Accept-Encoding': 'gzip, br' });
    expect(answer.headers.get('Content-Encoding')).toBe('br');
    expect(answer.headers.get('Content-Type')).toBe('application/json');
    const article = JSON.parse(brotliDecompressSync(Buffer.from(await answer.arrayBuffer())).toString()) as {
      title: string;
    };
    expect(article.title).toBe('Returning a parcel');
    const again = await get(path, { 'Accept-Encoding': 'br', 'If-None-Match': answer.headers.get('ETag')! });
    expect(again.status).toBe(304);
  });

  it('answer an old hash with 404 and the current hash', async () => {
    const answer = await get(articlePaths.current);
    expect(answer.headers.get('Cache-Control')).toBe('public, max-age=10');
    const old = await get(articlePaths.article('old', 'en', 'returns'));
    expect([old.status, old.headers.get('Cache-Control')]).toEqual([404, 'no-store']);
  });

  it.each([
    articlePaths.list('HASH', 'tlh'),
    articlePaths.search('HASH', 'tlh'),
    articlePaths.article('HASH', 'en', 'missing'),
    articlePaths.article('HASH', 'en', '__proto__'),
    articlePaths.article('HASH', 'constructor', 'returns'),
    articlePaths.file('HASH', 'en/missing.png'),
    articlePaths.file('HASH', 'en/returns.md'),
    articlePaths.file('HASH', 'en/notes.txt'),
    '/articles/HASH/files/../../../package.json',
    '/articles/HASH/files/%2e%2e/%2e%2e/package.json',
    '/articles/HASH/files/..%2f..%2fpackage.json',
    '/articles/HASH/files//etc/passwd',
    '/articles/HASH/files/en/box.png%00.txt',
    '/articles/HASH/files/%',
    '/articles/HASH/en/returns',
  ])('%s is not found [articles-6]', async (path) => {
    expect((await get(path.replace('HASH', hash))).status).toBe(404);
  });

  it('have images of their own type, which are not pages: nothing in an SVG runs [articles-7]', async () => {
    const image = await get(articlePaths.file(hash, 'en/box.png'));
    expect(image.headers.get('Content-Type')).toBe('image/png');
    expect(Buffer.from(await image.arrayBuffer())).toEqual(onePixel);
    const plan = await get(articlePaths.file(hash, 'en/plan.svg'));
    expect(plan.headers.get('Content-Type')).toBe('image/svg+xml');
    expect(plan.headers.get('Content-Security-Policy')).toBe(
      "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    );
  });
});

describe('a vote', () => {
  const vote = (body: unknown, headers: Record<string, string> = {}, id = 'returns') =>
    bff.app.request(articlePaths.votes(id), {
      method: 'POST',
      headers: {
        'Sec-Fetch-Site': 'same-origin',
        'Content-Type': 'application/json',
        'X-Forwarded-For': '10.9.9.9',
        [gateHeader]: '1',
        ...headers,
      },
      body: JSON.stringify(body),
    });

  it('from another site, without our header or not as JSON is refused [articles-8]', async () => {
    expect((await vote({ helped: true }, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect((await vote({ helped: true }, { [gateHeader]: '' })).status).toBe(403);
    expect((await vote({ helped: true }, { 'Content-Type': 'text/plain' })).status).toBe(415);
  });

  it('must be yes or no, for an existing article, and small', async () => {
    expect((await vote({ helped: 'yes' })).status).toBe(400);
    expect((await vote({ helped: true }, {}, 'missing')).status).toBe(404);
    expect((await vote({ helped: true, more: 'x'.repeat(2_000) })).status).toBe(413);
  });

  it('is accepted, sets no cookie, and is counted in the metrics', async () => {
    const answer = await vote({ helped: true });
    expect([answer.status, answer.headers.get('Set-Cookie')]).toEqual([201, null]);
    expect(await bff.metrics.registry.metrics()).toContain('deskside_article_votes_total{answer="helped"} 1');
  });
});

it('there is no route for articles without a folder', async () => {
  const plain = await startBff();
  expect((await plain.app.request(articlePaths.current)).status).toBe(404);
  await plain.stop();
});
