import Negotiator from 'negotiator';

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
  return (wishes: readonly string[]): string => {
    for (const wish of wishes) {
      const match = byWriting.get(writing(wish));
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
