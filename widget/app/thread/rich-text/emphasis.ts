interface Emphasis {
  text: string;
  level?: 'strong' | 'em';
}

interface Pair {
  mark: string;
  /** Where its first mark begins, and where its second one does. */
  from: number;
  to: number;
}

const mark = /\*\*|[*_]|\n/g;
const before = /^[\s("'“‘¿¡*_]?$/;
const after = /^[\s.,;:!?)"'”’…*_]?$/;
const isSpace = (letter: string) => letter.trim() === '';

/** Marks of one line that belong together, in the order of their ends. They are at the edge of words. */
function findPairs(text: string): Pair[] {
  const pairs: Pair[] = [];
  const open = new Map<string, number>();
  for (const { 0: found, index } of text.matchAll(mark)) {
    if (found === '\n') {
      open.clear();
      continue;
    }
    const last = text.charAt(index - 1);
    const next = text.charAt(index + found.length);
    const from = open.get(found);
    if (from !== undefined && !isSpace(last) && after.test(next) && index > from + found.length) {
      pairs.push({ mark: found, from, to: index });
      open.delete(found);
    } else if (before.test(last) && !isSpace(next)) open.set(found, index);
  }
  return pairs;
}

/**
 * Splits a text into plain and emphasised parts, as agents know it from Markdown: `**strong**`, `*emphasis*` and
 * `_emphasis_`. `2*3*4`, `snake_case_name` and addresses stay as they are.
 */
export function splitEmphasis(text: string): Emphasis[] {
  const parts: Emphasis[] = [];
  let done = 0;
  for (const { mark: found, from, to } of findPairs(text).toSorted((a, b) => a.from - b.from)) {
    // Within another, or across its end.
    if (from < done) continue;
    parts.push(
      { text: text.slice(done, from) },
      { text: text.slice(from + found.length, to), level: found === '**' ? 'strong' : 'em' },
    );
    done = to + found.length;
  }
  return [...parts, { text: text.slice(done) }];
}
