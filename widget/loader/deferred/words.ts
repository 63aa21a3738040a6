import { languageAndScript } from '../../../shared/i18n/language-and-script.ts';
import type { LauncherSentences } from '../words.ts';

export type Words = LauncherSentences;

declare const __LAUNCHER_SENTENCES__: Record<string, Words>;

/** The launcher's sentences by language and script (`de-Latn`); the build takes them from `shared/i18n/`. */
export const languages = __LAUNCHER_SENTENCES__;
const names = Object.keys(languages['en-Latn']!) as (keyof Words)[];

/**
 * The launcher's sentences in the first of the wanted languages that exists, chosen as the BFF chooses the app's. The site's
 * own texts (`launcher.open`, `launcher.close`, …) replace them.
 */
export function chooseWords(preferred: readonly string[], texts?: Record<string, unknown> | null): Words {
  const chosen = preferred.map((tag) => languages[languageAndScript(tag) ?? '']).find(Boolean);
  const own = names
    .map((name) => [name, texts?.[`launcher.${name}`]])
    .filter(([, text]) => typeof text === 'string');
  return { ...(chosen ?? languages['en-Latn']!), ...(Object.fromEntries(own) as Partial<Words>) };
}
