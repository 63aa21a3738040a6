import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

/** SECURITY: what strangers send is kept. Tags of languages are shorter (RFC 5646, 4.4.1), and few are in use. */
const maxTagLength = 35;
const maxKnown = 500;

/** Language and script that readers of a tag want: `zh-TW` → `zh-Hant`; null for what is no tag. */
function writing(tag: string): string | null {
  try {
    // Pages often name their language as POSIX locales do: `pt_BR`.
    const { language, script } = new Intl.Locale(tag.replaceAll('_', '-')).maximize();
    return `${language}-${script}`;
  } catch {
    return null;
  }
}

/**
 * Chooses the best of `languages` for the wishes, most wanted first: the first that is the same language in the same
 * script, whatever the country, else English. The loader chooses in the same way, so that both speak one language.
 */
export function createLanguageChoice(languages: readonly string[]) {
  const byWriting = new Map(languages.map((tag) => [writing(tag), tag]));
  /** Reading a tag takes as long as most of an answer. Empty: none of `languages`. */
  const matches = new LRUCache<string, string>({
    max: maxKnown,
    memoMethod: (wish) => byWriting.get(writing(wish)) ?? '',
  });
  return (wishes: readonly string[]): string => {
    for (const wish of wishes) {
      const match = wish.length <= maxTagLength && matches.memo(wish);
      if (match) return match;
    }
    return 'en';
  };
}

/** SECURITY: no browser names more, and a header full of tags would take long to compare. */
const maxWishes = 20;

/** The tags of an `Accept-Language` header, the most wanted first. */
export const acceptedLanguages = (header = ''): string[] =>
  new Negotiator({ headers: { 'accept-language': header } }).languages().slice(0, maxWishes);
