import type { LauncherSentences } from '../../widget/loader/words.ts';
import type { Language } from '../../shared/i18n/languages.ts';
import { languageAndScript } from '../../shared/i18n/language-and-script.ts';

/** The launcher's sentences, by language and script (`de-Latn`): the loader must not contain the sentences of the panel. */
export const launcherSentences = (languages: readonly Language[]): Record<string, LauncherSentences> =>
  Object.fromEntries(
    languages.map(({ tag, sentences: { launcher, support, tryAgain } }) => [
      languageAndScript(tag),
      { ...launcher, title: support, retry: tryAgain },
    ]),
  );
