import type { Article } from '../../../shared/contract/articles.ts';
import type { SiteArticles } from '../../../shared/contract/site.ts';
import { en } from '../../../shared/i18n/en.ts';
import type { Failed } from '../api/result.ts';
import type { ArticleApi } from './api.ts';

/** What the document contains if there are articles. */
export const aSiteWithArticles = (): SiteArticles => ({
  hash: 'h',
  top: [
    { id: 'returns', title: 'Returning an order' },
    { id: 'vat', title: 'Mehrwertsteuer', lang: 'de' },
  ],
  sentences: { ...en.site.articles, no: en.no },
});

export const anArticle = (more: Partial<Article> = {}): Article => ({
  title: 'Returning an order',
  nodes: [{ type: 'paragraph', children: ['Send it back.'] }],
  ...more,
});

/** Articles of a BFF that answers, except for the failures that a test sets. */
export function fakeArticles({
  index = [],
  article = [],
  articles = { returns: anArticle() },
}: { index?: Failed[]; article?: Failed[]; articles?: Record<string, Article> } = {}) {
  const asked: string[] = [];
  const api: ArticleApi = {
    async list() {
      asked.push('list');
      return { ok: true, value: [] };
    },
    async index() {
      asked.push('index');
      return index[0] ?? { ok: true, value: '' };
    },
    async article(id) {
      asked.push(`article ${id}`);
      const found = articles[id];
      return article[0] ?? (found ? { ok: true, value: found } : gone);
    },
    fileUrl: (path) => `/files/${path}`,
    async vote(id, helped) {
      asked.push(`vote ${id} ${helped}`);
      return { ok: true, value: new Response() };
    },
  };
  return { api, asked };
}

const gone: Failed = {
  ok: false,
  error: { kind: 'http', code: 'not_found', retryable: false, retryAfterSec: 0, fields: {} },
};
