import type { Options } from 'minisearch';

/** The fields of an article that are searched. */
export interface SearchedArticle {
  id: string;
  title: string;
  text: string;
}

const words = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts without spaces between words: Chinese, Japanese, Thai, Lao, Khmer and Burmese. */
const unspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;
/** Accents of Latin, Greek and Cyrillic letters, and vowel marks of Arabic and Hebrew. */
const marks = /[\u0300-\u036f\u0591-\u05c7\u064b-\u0652]/g;
let segmenter: Intl.Segmenter | undefined;

/** A segmenter takes time by the square of the length of its text, so it gets one of at most this many characters. */
const run = /[^]{1,100}/gu;

function segmented(text: string): string[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  return [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
}

/** The words of a text in any language. */
export const wordsOf = (text: string): string[] =>
  (text.match(words) ?? []).flatMap((word) =>
    unspaced.test(word) ? word.match(run)!.flatMap(segmented) : word,
  );

/** The form in which words are compared: without case and accents. */
const termOf = (word: string) => word.normalize('NFKD').replace(marks, '').toLowerCase().normalize('NFC');

/** Shorter words must match exactly: one wrong letter of three is too many. */
const fuzzyFrom = 4;

/**
 * Whether a word also matches longer words that begin with it. Words of one or two letters do so only alone or as the
 * last word, which may be incomplete. A single letter among other words matches too many words to be useful, and
 * finding them takes long.
 */
const isBeginning = (term: string, place: number, terms: string[]) =>
  terms.length === 1 ||
  term.length > 2 ||
  (place === terms.length - 1 && (term.length > 1 || unspaced.test(term)));

/** Options for the index. The BFF, which makes it, and the app, which reads it, must use the same. */
export const searchOptions: Options<SearchedArticle> = {
  fields: ['title', 'text'],
  tokenize: wordsOf,
  processTerm: termOf,
  searchOptions: {
    prefix: isBeginning,
    fuzzy: (term) => (term.length < fuzzyFrom ? false : 0.2),
    boost: { title: 3 },
  },
};
