import MiniSearch from 'minisearch';
import { type SearchedArticle, searchOptions } from '../../../shared/contract/article-search.ts';

/** The search index for the app, as text. */
export function indexOf(articles: readonly SearchedArticle[]): string {
  const index = new MiniSearch<SearchedArticle>(searchOptions);
  index.addAll(articles);
  return JSON.stringify(index);
}
