import { describe, expect, it } from 'vitest';
import { launcherSentences } from '../../../scripts/build/launcher-sentences.ts';
import { languages as allLanguages } from '../../../shared/i18n/languages.ts';
import { chooseWords, languages } from './words.ts';

describe('the sentences of the launcher', () => {
  it('exist in every language of the panel', () => {
    expect(languages).toEqual(launcherSentences(allLanguages));
    expect(Object.keys(languages)).toHaveLength(allLanguages.length);
  });

  it.each([
    [['de-AT'], 'de-Latn'],
    [['', 'nb', 'pt-PT', 'en'], 'pt-Latn'],
    [['zh_TW'], 'zh-Hant'],
    [['iw'], 'he-Hebr'],
    [['not a tag'], 'en-Latn'],
    [[], 'en-Latn'],
  ])('are, for the languages %j, those of %j', (preferred, written) => {
    expect(chooseWords(preferred)).toEqual(languages[written]);
  });

  it('are the translated ones again when the site removes its texts', () => {
    expect(chooseWords(['de'], null)).toEqual(languages['de-Latn']);
  });

  it('are replaced by the site’s own texts', () => {
    const words = chooseWords(['de'], { 'launcher.open': 'Fragen?', 'launcher.close': 7, send: 'Ab damit' });
    expect(words).toEqual({ ...languages['de-Latn'], open: 'Fragen?' });
  });
});
