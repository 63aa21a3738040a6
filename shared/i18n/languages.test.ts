import { describe, expect, it } from 'vitest';
import { en } from './en.ts';
import { languages } from './languages.ts';

type Tree = { [name: string]: string | Tree };

const widthOf = (text: string) =>
  // Chinese, Japanese and Korean letters are as wide as two.
  Array.from(text).reduce(
    (width, letter) => width + (/[\u1100-\u11ff\u2e80-\ud7ff\uf900-\uffef]/.test(letter) ? 2 : 1),
    0,
  );

/** The sentences by their paths, as in `fields.subject`; a plural is one, without the names of its categories. */
function flatten(tree: Tree, at = ''): [path: string, sentence: string, category?: string][] {
  return Object.entries(tree).flatMap(([name, value]): ReturnType<typeof flatten> => {
    if (typeof value === 'string') return [[at + name, value]];
    if (!('other' in value)) return flatten(value, `${at}${name}.`);
    return Object.entries(value).map(([category, form]) => [at + name, form as string, category]);
  });
}

const english = new Map(flatten(en).map(([path, sentence]) => [path, sentence]));

/**
 * Sentences in a paragraph of their own, which may break into lines anywhere. All others are on buttons, labels,
 * headings and states: in the narrowest panel (320 px) 40 letters are two lines of a button.
 */
const paragraphs =
  /^(faults|fieldFaults|undecided|handoff|errors|codeMail|lostMail|ticketMail|site)\.|^data\.(deleteHint|undelivered|deleted|signedOut)$|^(colleagueOnly|noneFound|writeAgain|signedOut|forgotten|noFiles|launcher\.failed|awaited|keepTrying|hidden|movedHint|arrived|findHint|onlyThere|codeSent|wrongCode|thisDevice|forgetHint|claimable|claimHint|transferable|transferHint|moved|movedBack|loadFailed|outdated|offline|stale|onlyHere|start)$/;
const maxGrowth = 2.2;
/** A sentence shorter than this is accepted, even if the English one is shorter. */
const minLimit = 18;
const maxLabel = 40;

/** English words that these languages use too. */
const shared: Record<string, string[]> = {
  de: ['optional', 'support', 'code', 'link'],
  fr: ['conversation', 'code'],
  es: ['no'],
  'pt-BR': ['link'],
  it: ['link', 'no'],
  nl: ['code', 'link'],
  pl: ['link'],
};

const placeholders = (sentence: string) => (sentence.match(/\{.*?\}/g) ?? []).toSorted();

it('no language is there twice', () => {
  expect(new Set(languages.map(({ tag }) => tag)).size).toBe(languages.length);
});

describe.each(languages)('$tag', ({ tag, dir, sentences }) => {
  const all = flatten(sentences);
  const plurals = new Intl.PluralRules(tag);
  const faults = (isWrong: (path: string, sentence: string, category?: string) => unknown) =>
    all.filter(([path, sentence, category]) => isWrong(path, sentence, category));

  it('is a tag in its usual form that Intl knows', () => {
    expect(Intl.getCanonicalLocales(tag)).toEqual([tag]);
    expect(Intl.PluralRules.supportedLocalesOf(tag)).toEqual([tag]);
  });

  it('runs in the direction of its script', () => {
    const isRtl = ['Arab', 'Hebr'].includes(new Intl.Locale(tag).maximize().script!);
    expect(dir).toBe(isRtl ? 'rtl' : 'ltr');
  });

  it('has every sentence and no other', () => {
    expect([...new Set(all.map(([path]) => path))].toSorted()).toEqual([...english.keys()].toSorted());
  });

  it('has every plural form that the language wants and no other', () => {
    const categories = plurals.resolvedOptions().pluralCategories.toSorted();
    const counted = [...new Set(flatten(en).flatMap(([path, , category]) => (category ? [path] : [])))];
    const forms = counted.map((counts) =>
      all.flatMap(([path, , category]) => (path === counts ? [category!] : [])).toSorted(),
    );
    expect(forms).toEqual(counted.map(() => categories));
  });

  it('keeps every placeholder', () => {
    // A form for one number alone may say the number in words.
    const numbers = Array.from({ length: 1_000 }, (_, number) => plurals.select(number));
    const isOneNumber = (category = '') => numbers.filter((each) => each === category).length === 1;
    expect(
      faults((path, sentence, category) => {
        const found = placeholders(sentence);
        const isInWords = found.length === 0 && isOneNumber(category);
        return !isInWords && found.join() !== placeholders(english.get(path)!).join();
      }),
    ).toEqual([]);
  });

  it('writes as one does: no straight quotes, no three dots, no space too many', () => {
    expect(faults((_, sentence) => /["']|\.\.|^\s|\s$|\s\s|^$/.test(sentence))).toEqual([]);
  });

  it('ends a sentence where English does', () => {
    const ending = (sentence: string) => /[.。।…]$/.exec(sentence)?.[0].replace(/[。।]/, '.');
    expect(faults((path, sentence) => ending(sentence) !== ending(english.get(path)!))).toEqual([]);
  });

  it('is no longer than the layout has room for', () => {
    const limit = (path: string) => {
      const grown = Math.max(minLimit, maxGrowth * widthOf(english.get(path)!));
      return paragraphs.test(path) ? grown : Math.min(grown, maxLabel);
    };
    expect(faults((path, sentence) => widthOf(sentence) > limit(path))).toEqual([]);
  });

  it('is not left in English', () => {
    if (tag === 'en') return;
    const same = faults((path, sentence) => sentence === english.get(path)).map(([path]) => path);
    expect(same.toSorted()).toEqual((shared[tag] ?? []).toSorted());
  });
});
