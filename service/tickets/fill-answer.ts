/** What the placeholders of a saved answer stand for. */
export interface AnswerFacts {
  /** The customer's name; blank when unknown. */
  name: string | null;
  number: number;
  agent: string;
}

/**
 * Fills the placeholders `{name}`, `{number}` and `{agent}` of a saved answer. Without a name, the blank and the comma
 * around `{name}` go with it, and what then begins the sentence gets a capital letter. Other braces stay. It does not
 * know the grammar of any language: "the order of {name}" becomes "the order of".
 */
export function fillAnswer(text: string, facts: AnswerFacts): string {
  // A customer's name may contain line breaks, and must stay in its sentence.
  const name = (facts.name ?? '').replace(/\s+/g, ' ').trim();
  const values: Record<string, string> = { name, number: String(facts.number), agent: facts.agent };
  return (name === '' ? withoutName(text) : text).replace(
    /\{(name|number|agent)\}/gi,
    (_, placeholder: string) => values[placeholder.toLowerCase()]!,
  );
}

const atStart = /(^|\n[ \t]*|[.!?…][ \t]+)\{name\}[,،，、:;.!]?\s*(\p{L}?)/giu;
const inside = /[,،，、]?[ \t]?\{name\}/giu;

const withoutName = (text: string) =>
  text
    .replace(atStart, (_, before: string, first: string) => before + first.toLocaleUpperCase())
    .replace(inside, '');
