import { describe, expect, it } from 'vitest';
import { languages as appLanguages } from '../../app/i18n/languages.ts';
import { chooseWords, languages } from './words.ts';

describe('the core’s sentences', () => {
  it('stand in every language of the app, with its name for support', () => {
    for (const { tag, sentences } of appLanguages)
      expect([tag, languages[tag]]).toMatchObject([
        tag,
        { title: sentences.support, retry: sentences.tryAgain },
      ]);
    expect(Object.keys(languages)).toHaveLength(appLanguages.length);
  });

  it('are all there, and name the count', () => {
    for (const words of Object.values(languages)) {
      expect(Object.values(words).every((word) => word.trim() !== '')).toBe(true);
      expect(words.unread).toContain('{count}');
      expect(words.open).not.toBe(words.close);
    }
  });

  it.each([
    [['de-AT'], 'de'],
    [['', 'nb', 'pt-PT', 'en'], 'pt-BR'],
    [['zh_TW'], 'zh-Hant'],
    [['iw'], 'he'],
    [['not a tag'], 'en'],
    [[], 'en'],
  ])('for the wishes %j are those of %j', (wishes, tag) => {
    expect(chooseWords(wishes)).toEqual(languages[tag]);
  });

  it('are the language’s own where the site takes back its texts', () => {
    expect(chooseWords(['de'], null)).toEqual(languages['de']);
  });

  it('give way to the site’s own', () => {
    const words = chooseWords(['de'], { 'launcher.open': 'Fragen?', 'launcher.close': 7, send: 'Ab damit' });
    expect(words).toEqual({ ...languages['de'], open: 'Fragen?' });
  });
});
