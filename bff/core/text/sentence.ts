import { z } from 'zod';
import { languages } from '../../../shared/i18n/languages.ts';
import { line } from './fields.ts';

/* Sentences that the operator writes for customers, in one or in several languages of the widget. */

const tags = languages.map(({ tag }) => tag) as [string, ...string[]];

/** One text for all languages, or texts by language tag of the widget. */
export type Sentence = string | Partial<Record<string, string>>;

/** The language that agents read. */
export const mainLanguage = 'en';

/** The sentence in a language, else in English, else in its first language. */
export function sentenceIn(written: Sentence, tag: string): string {
  if (typeof written === 'string') return written;
  // The tag may be any text of a request.
  const inLanguage = Object.hasOwn(written, tag) ? written[tag] : undefined;
  return inLanguage ?? written[mainLanguage] ?? Object.values(written)[0]!;
}

/** Whether a text of the operator is one line. A line break in it is a mistake, though one of a customer is not. */
export const isLine = (max: number) => (text: string | undefined) =>
  line(max).safeParse(text).success && !/[\p{Cc}\u2028\u2029]/u.test(text!);

/** Each of its texts is one line of 1 to `max` characters. */
export const sentence = (max: number) =>
  z
    .union(
      [z.string(), z.partialRecord(z.enum(tags), z.string())],
      `must be a sentence, or sentences by language: ${tags.join(', ')}`,
    )
    .refine((value) => typeof value === 'string' || Object.keys(value).length > 0, 'has no sentence')
    .refine(
      (value) => Object.values(typeof value === 'string' ? [value] : value).every(isLine(max)),
      `must be one line of 1 to ${max} characters`,
    );
