import type { LauncherSentences } from '../../widget/loader/words.ts';
import type { Language } from '../../shared/i18n/languages.ts';

/** The launcher's sentences, by language tag: the loader must not contain the sentences of the panel. */
export const launcherSentences = (languages: readonly Language[]): Record<string, LauncherSentences> =>
  Object.fromEntries(
    languages.map(({ tag, sentences: { launcher, support, tryAgain } }) => [
      tag,
      { ...launcher, title: support, retry: tryAgain },
    ]),
  );
