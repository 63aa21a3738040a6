/** Language and script of a tag: `zh-TW` → `zh-Hant`, `de-AT` → `de-Latn`. Null when it is not a tag. */
export function languageAndScript(tag: string): string | null {
  try {
    // Pages often name their language like POSIX locales: `pt_BR`.
    const { language, script } = new Intl.Locale(tag.replaceAll('_', '-')).maximize();
    return `${language}-${script}`;
  } catch {
    return null;
  }
}
