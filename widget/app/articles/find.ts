import MiniSearch from 'minisearch';
import { type SearchedArticle, searchOptions, wordsOf } from '../../../shared/contract/article-search.ts';
import type { ListedArticle } from '../../../shared/contract/articles.ts';

/** The maximum length of a list. */
const maxResults = 20;
const maxSuggestions = 3;
/** In a long message, the newest words say what it is about. */
const suggestedBy = 24;
/** Shorter words are in every text, so they find nothing in particular. */
const minSignificant = 4;

/** If the whole words find nothing, this share of each word is searched, from its beginning. */
const searchedShare = 0.7;

/** Searches articles. Both functions return the best first. */
export interface Finder {
  /** By the text of the search field: articles with all of its words or their beginnings, else those with any of them. */
  find: (query: string) => ListedArticle[];
  /** By a message that is being written. */
  suggest: (message: string) => ListedArticle[];
}

/** A character of a script without cases and spaces says more than a letter. */
const isSignificant = (word: string) => word.length >= minSignificant || /[^\p{Lu}\p{Ll}\p{N}]/u.test(word);

/** `index`: as the BFF made it. It is read in small steps: the customer goes on typing. */
export async function createFinder(index: string, list: readonly ListedArticle[]): Promise<Finder> {
  const search = await MiniSearch.loadJSONAsync<SearchedArticle>(index, searchOptions);
  const byId = new Map(list.map((article) => [article.id, article]));
  const listed = (found: { id: unknown }[]) =>
    found.flatMap(({ id }) => byId.get(id as string) ?? []).slice(0, maxResults);

  return {
    find(query) {
      // A wrong letter is found in a whole word only, not in the beginning of a longer one.
      const beginnings = wordsOf(query)
        .map((word) => word.slice(0, Math.max(minSignificant - 1, Math.ceil(word.length * searchedShare))))
        .join(' ');
      for (const combineWith of ['AND', 'OR'] as const)
        for (const text of new Set([query, beginnings])) {
          const found = search.search(text, { combineWith });
          if (found.length > 0) return listed(found);
        }
      return [];
    },
    suggest(message) {
      const words = [...new Set(wordsOf(message).slice(-suggestedBy))].filter(isSignificant);
      const found = search.search(words.join(' '), { prefix: false });
      const [best] = found;
      return listed(found.filter(({ score }) => score >= best!.score / 2)).slice(0, maxSuggestions);
    },
  };
}
