import { action, signal } from '@preact/signals';
import { wordsOf } from '../../../shared/contract/article-search.ts';
import type { Article, ListedArticle } from '../../../shared/contract/articles.ts';
import type { SiteArticles } from '../../../shared/contract/site.ts';
import { type ApiFailure, failure, type Result } from '../api/result.ts';
import type { Clock } from '../browser/clock.ts';
import type { ArticleApi } from './api.ts';
import type { Finder } from './find.ts';

/** A message of fewer words says too little. */
const minWords = 3;
const suggestAfterMs = 600;
/** So much of the end of a message is looked at, at each letter: finding words takes long in scripts without spaces. */
const suggestedByUnits = 500;

interface ModelOptions {
  site: SiteArticles;
  api: ArticleApi;
  clock: Clock;
  /** Imports the script that searches. */
  importFinder: () => Promise<{
    createFinder: (index: string, list: readonly ListedArticle[]) => Promise<Finder>;
  }>;
}

/** Articles on screen: search, suggestions, and the one that is read. */
export function createArticleModel({ site, api, clock, importFinder }: ModelOptions) {
  const query = signal('');
  /** Null while nothing is searched for, or until the search can begin. */
  const results = signal<readonly ListedArticle[] | null>(null);
  const searchFailure = signal<ApiFailure | null>(null);
  const suggestions = signal<readonly ListedArticle[]>([]);
  /** Articles that were read, by id. */
  const read = signal<ReadonlyMap<string, Result<Article>>>(new Map());
  /** What the customer has answered on this page, by the id of the article. */
  const votes = signal<ReadonlyMap<string, boolean>>(new Map());
  let finder: Finder | null = null;
  let loading: Promise<Result<Finder>> | null = null;
  let message = '';
  let cancel = () => {};

  async function loadFinder(): Promise<Result<Finder>> {
    try {
      const [{ createFinder }, index, list] = await Promise.all([importFinder(), api.index(), api.list()]);
      if (!index.ok) return index;
      if (!list.ok) return list;
      return { ok: true, value: await createFinder(index.value, list.value) };
    } catch {
      return failure('network');
    }
  }

  /** Nothing is fetched before the customer searches. */
  async function useFinder(run: (loaded: Finder) => void, onFailure: (error: ApiFailure) => void) {
    if (finder) return run(finder);
    const result = await (loading ??= loadFinder());
    loading = null;
    if (!result.ok) return onFailure(result.error);
    finder = result.value;
    run(finder);
  }

  function find(): Promise<void> {
    searchFailure.value = null;
    return useFinder(
      (loaded) => {
        const text = query.peek();
        results.value = text.trim() ? loaded.find(text) : null;
      },
      (error) => {
        searchFailure.value = error;
      },
    );
  }

  async function load(id: string): Promise<void> {
    const result = await api.article(id);
    read.value = new Map([...read.peek(), [id, result]]);
  }

  return {
    site,
    query,
    results,
    searchFailure,
    suggestions,
    read,
    votes,
    fileUrl: api.fileUrl,

    /** Searches for the text of the field, at each letter. */
    search: action((text: string) => {
      query.value = text;
      if (text.trim()) void find();
      else results.value = null;
    }),
    /** Retries what has failed. */
    retrySearch: find,

    /** Looks for articles once the customer pauses; `text`: the message as it is now. */
    suggest(text: string): void {
      if (text === message) return;
      message = text;
      cancel();
      if (wordsOf(text.slice(-suggestedByUnits)).length < minWords) {
        suggestions.value = [];
        return;
      }
      cancel = clock.after(suggestAfterMs, () => {
        void useFinder(
          (loaded) => {
            suggestions.value = loaded.suggest(message);
          },
          // The form works without suggestions, so a failure is not shown.
          () => {},
        );
      });
    },

    /** Loads an article, unless it is loaded already. */
    async open(id: string): Promise<void> {
      if (!read.peek().get(id)?.ok) await load(id);
    },
    reload(id: string): Promise<void> {
      read.value = new Map([...read.peek()].filter(([each]) => each !== id));
      return load(id);
    },

    vote: action((id: string, helped: boolean) => {
      votes.value = new Map([...votes.peek(), [id, helped]]);
      void api.vote(id, helped);
    }),
  };
}

export type ArticleModel = ReturnType<typeof createArticleModel>;
