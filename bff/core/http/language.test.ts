import { describe, expect, it } from 'vitest';
import { acceptedLanguages, createLanguageChoice } from './language.ts';

describe('the best language', () => {
  const best = createLanguageChoice(['en', 'de', 'pt-BR', 'zh-Hans', 'zh-Hant', 'he', 'id', 'sv']);

  it.each([
    ['de-AT', 'de'],
    ['PT-br', 'pt-BR'],
    ['pt', 'pt-BR'],
    ['pt-PT', 'pt-BR'],
    ['pt_BR', 'pt-BR'],
    ['zh', 'zh-Hans'],
    ['zh-CN', 'zh-Hans'],
    ['zh-SG', 'zh-Hans'],
    ['zh-Hans-HK', 'zh-Hans'],
    ['zh-TW', 'zh-Hant'],
    ['zh-HK', 'zh-Hant'],
    ['zh-MO', 'zh-Hant'],
    ['zh-Hant-CN', 'zh-Hant'],
    ['iw', 'he'],
    ['in', 'id'],
    ['nb', 'en'],
    ['x', 'en'],
    ['*', 'en'],
    ['', 'en'],
    [`de-x-${'private-'.repeat(4)}use`, 'en'],
  ])('for %j is %j', (wish, tag) => {
    expect(best([wish])).toBe(tag);
  });

  it('is the same when it is asked for again', () => {
    expect([best(['de-AT']), best(['de-AT']), best(['nb']), best(['nb'])]).toEqual(['de', 'de', 'en', 'en']);
  });

  it('is the first one available when nothing is accepted', () => {
    expect(best(['nb-NO', 'not a tag', 'sv-FI', 'de'])).toBe('sv');
    expect(best([])).toBe('en');
  });
});

describe('the accepted languages', () => {
  it('are in order of preference, without those that are refused', () => {
    expect(acceptedLanguages('en;q=0.5, de-AT ; q=0.8,fr, it;q=0, *;q=0.1')).toEqual([
      'fr',
      'de-AT',
      'en',
      '*',
    ]);
    expect(acceptedLanguages('')).toEqual([]);
  });

  it('are 20 at most', () => {
    expect(acceptedLanguages('de,'.repeat(1_000))).toHaveLength(20);
  });
});
