/** A sentence of the operator: the same for everybody, or by tag of a language of the widget. */
export type Sentence = string | Partial<Record<string, string>>;

/** The language that agents read. */
export const mainLanguage = 'en';

/** The sentence in a language, else in English, else in the first language that it has. */
export function sentenceIn(sentence: Sentence, tag: string): string {
  if (typeof sentence === 'string') return sentence;
  // The tag may be any text of a request.
  const own = Object.hasOwn(sentence, tag) ? sentence[tag] : undefined;
  return own ?? sentence[mainLanguage] ?? Object.values(sentence)[0]!;
}
