import { describe, expect, it } from 'vitest';
import type { ListedArticle } from '../../../shared/contract/articles.ts';
import { failure } from '../api/result.ts';
import { fakeClock, http, settle } from '../testing/fakes.ts';
import { createArticleApi } from './api.ts';
import { createArticleModel } from './model.ts';
import { aSiteWithArticles, fakeArticles } from './test-articles.ts';

function modelOf(more: Parameters<typeof fakeArticles>[0] = {}) {
  const clock = fakeClock();
  const { api, asked } = fakeArticles(more);
  let imports = 0;
  const found: string[] = [];
  const listed = (id: string): ListedArticle => ({ id, title: id, summary: '' });
  const model = createArticleModel({
    site: aSiteWithArticles(),
    api,
    clock,
    async importFinder() {
      imports += 1;
      return {
        createFinder: async () => ({
          find: (query) => (found.push(query), [listed(query)]),
          suggest: (message) => (found.push(message), [listed('suggested')]),
        }),
      };
    },
  });
  return { model, clock, asked, found, imports: () => imports };
}
const ids = (list: readonly { id: string }[] | null) => list?.map(({ id }) => id);

describe('search', () => {
  it('loads nothing before the first letter, and the index only once', async () => {
    const { model, asked, imports } = modelOf();
    await settle();
    expect([asked, imports()]).toEqual([[], 0]);
    model.search('r');
    model.search('re');
    await settle();
    model.search('ret');
    await settle();
    expect(asked.toSorted()).toEqual(['index', 'list']);
    expect(imports()).toBe(1);
    expect(ids(model.results.value)).toEqual(['ret']);
  });

  it('uses the text that is in the field once the index is loaded, and ends with an empty field', async () => {
    const { model, found } = modelOf();
    model.search('re');
    model.search('retu');
    await settle();
    expect(new Set(found)).toEqual(new Set(['retu']));
    model.search('  ');
    expect(model.results.value).toBeNull();
  });

  it('that could not be loaded says so, and can be tried again', async () => {
    const failing = { index: [failure('network')] };
    const { model } = modelOf(failing);
    model.search('returns');
    await settle();
    expect(model.searchFailure.value?.kind).toBe('network');
    failing.index.length = 0;
    await model.retrySearch();
    expect([model.searchFailure.value, ids(model.results.value)]).toEqual([null, ['returns']]);
  });
});

describe('suggestions', () => {
  it('appear when the customer pauses after three words', async () => {
    const { model, clock, asked } = modelOf();
    model.suggest('It is');
    await clock.advance(10_000);
    expect(asked).toEqual([]);
    model.suggest('It is broken');
    await clock.advance(599);
    model.suggest('It is broken again');
    await clock.advance(599);
    expect(model.suggestions.value).toEqual([]);
    await clock.advance(1);
    expect(ids(model.suggestions.value)).toEqual(['suggested']);
  });

  it('disappear with the message, and appear for a script without spaces', async () => {
    const { model, clock } = modelOf();
    model.suggest('商品を返品したいです');
    await clock.advance(600);
    expect(ids(model.suggestions.value)).toEqual(['suggested']);
    model.suggest('');
    expect(model.suggestions.value).toEqual([]);
  });

  it('are empty when they cannot be loaded', async () => {
    const { model, clock } = modelOf({ index: [failure('network')] });
    model.suggest('My teapot is broken');
    await clock.advance(600);
    expect(model.suggestions.value).toEqual([]);
  });
});

describe('an article', () => {
  it('is read once, and again after a failure', async () => {
    const failing = { article: [failure('network')] };
    const { model, asked } = modelOf(failing);
    await model.open('returns');
    expect(model.read.value.get('returns')).toMatchObject({ ok: false });
    failing.article.length = 0;
    await model.reload('returns');
    await model.open('returns');
    expect(model.read.value.get('returns')).toMatchObject({ ok: true });
    expect(asked).toEqual(['article returns', 'article returns']);
  });

  it('that was voted on keeps the answer on this page', () => {
    const { model, asked } = modelOf();
    model.vote('returns', false);
    expect([...model.votes.value]).toEqual([['returns', false]]);
    expect(asked).toEqual(['vote returns false']);
  });
});

describe('requests', () => {
  const answer = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });

  /** A BFF whose articles are served under `hash`. */
  function serverOf(hash: string) {
    const requests: [string, RequestInit | undefined][] = [];
    const send = async (path: Parameters<typeof fetch>[0], init?: RequestInit) => {
      requests.push([path as string, init]);
      if (path === '/articles') return answer({ data: { hash } });
      return (path as string).startsWith(`/articles/${hash}/`)
        ? answer([])
        : answer({ error: { code: 'not_found' } }, 404);
    };
    return { requests, api: createArticleApi(send, 'old', 'en') };
  }

  it('with an outdated hash are all repeated with the current one', async () => {
    const { api, requests } = serverOf('new');
    const results = await Promise.all([api.list(), api.index()]);
    expect(results.map(({ ok }) => ok)).toEqual([true, true]);
    expect(api.fileUrl('en/a b.png')).toBe('./articles/new/files/en/a%20b.png');
    await api.list();
    expect(requests.at(-1)![0]).toBe('/articles/new/en.json');
  });

  it('for something that does not exist are not repeated', async () => {
    const { api, requests } = serverOf('old');
    const missing = await api.article('missing');
    expect(missing.ok).toBe(true);
    expect(requests).toHaveLength(1);
    const gone = createArticleApi(
      async (path) =>
        answer(path === '/articles' ? { data: { hash: 'old' } } : {}, path === '/articles' ? 200 : 404),
      'old',
      'en',
    );
    expect(await gone.article('missing')).toMatchObject(http(null));
  });

  it('carry no cookie', async () => {
    const { api, requests } = serverOf('old');
    await api.list();
    await api.vote('returns', true);
    expect(requests.map(([, init]) => init?.credentials)).toEqual(['omit', 'omit']);
    expect(requests[1]![1]).toMatchObject({ method: 'POST', body: '{"helped":true}' });
  });

  it('report a failure without a network, and for an answer of another shape', async () => {
    const offline = createArticleApi(async () => Promise.reject(new TypeError('offline')), 'old', 'en');
    expect(await offline.list()).toMatchObject({ ok: false, error: { kind: 'network' } });
    const portal = createArticleApi(async () => new Response('<html>'), 'old', 'en');
    expect(await portal.list()).toMatchObject({ ok: false, error: { kind: 'invalid_response' } });
  });
});
