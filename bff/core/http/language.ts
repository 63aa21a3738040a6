import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
import { languageAndScript } from '../../../shared/i18n/language-and-script.ts';

/** SECURITY: bounds what strangers can make us keep. Real tags are shorter (RFC 5646, 4.4.1), and few are in use. */
const maxTagLength = 35;
const maxKnown = 500;

/**
 * Chooses the best of `languages` for the requested tags, most wanted first: the first with the same language and
 * script, in any country. Without a match it is English. The loader chooses in the same way, so that both use one
 * language.
 */
export function createLanguageChoice(languages: readonly string[]) {
  const byLanguageAndScript = new Map(languages.map((tag) => [languageAndScript(tag), tag]));
  /**
   * A cache, because parsing a tag takes as long as most of an answer. An empty string means that no language of
   * `languages` matches.
   */
  const matches = new LRUCache<string, string>({
    max: maxKnown,
    memoMethod: (wish) => byLanguageAndScript.get(languageAndScript(wish)) ?? '',
  });
  return (wishes: readonly string[]): string => {
    for (const wish of wishes) {
      const match = wish.length <= maxTagLength && matches.memo(wish);
      if (match) return match;
    }
    return 'en';
  };
}

/** SECURITY: no browser sends more, and comparing a header full of tags would take long. */
const maxWishes = 20;

/** The tags of an `Accept-Language` header, the most wanted first. */
export const acceptedLanguages = (header = ''): string[] =>
  new Negotiator({ headers: { 'accept-language': header } }).languages().slice(0, maxWishes);
