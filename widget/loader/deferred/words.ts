import type { LauncherSentences } from '../words.ts';

export type Words = LauncherSentences;

declare const __LAUNCHER_SENTENCES__: Record<string, Words>;

/** The launcher's sentences by language tag; the build takes them from `shared/i18n/`. */
export const languages = __LAUNCHER_SENTENCES__;
const names = Object.keys(languages['en']!) as (keyof Words)[];

/** Language and script of a tag: `zh-TW` → `zh-Hant`; null for an invalid tag. */
function languageAndScript(tag: string): string | null {
  try {
    const { language, script } = new Intl.Locale(tag.replaceAll('_', '-')).maximize();
    return `${language}-${script}`;
  } catch {
    return null;
  }
}

/**
 * The launcher's sentences in the first of the wanted languages that exists, chosen as the BFF chooses the app's. The site's
 * own texts (`launcher.open`, `launcher.close`, …) replace them.
 */
export function chooseWords(preferred: readonly string[], texts?: Record<string, unknown> | null): Words {
  const tags = Object.keys(languages);
  const tag = preferred
    .map((language) => languageAndScript(language))
    .map((wanted) => wanted && tags.find((each) => languageAndScript(each) === wanted))
    .find(Boolean);
  const own = names
    .map((name) => [name, texts?.[`launcher.${name}`]])
    .filter(([, text]) => typeof text === 'string');
  return { ...languages[tag ?? 'en']!, ...(Object.fromEntries(own) as Partial<Words>) };
}
