/** A sentence of the operator: one text for all languages, or texts by language tag of the widget. */
export type Sentence = string | Partial<Record<string, string>>;

/** The language that agents read. */
export const mainLanguage = 'en';

/** The sentence in a language, else in English, else in its first language. */
export function sentenceIn(sentence: Sentence, tag: string): string {
  if (typeof sentence === 'string') return sentence;
  // The tag may be any text of a request.
  const own = Object.hasOwn(sentence, tag) ? sentence[tag] : undefined;
  return own ?? sentence[mainLanguage] ?? Object.values(sentence)[0]!;
}
