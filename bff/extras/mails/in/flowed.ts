/*
 * Text of `format=flowed` (RFC 3676), where a line that ends in a space continues in the next. It knows quote marks: a line of an
 * answer never continues a line of the quote. It knows nothing of MIME's other parts.
 */

/** How the text of a mail is wrapped: `flowed` lines continue after a space, which `deletesSpace` does not belong to the text. */
export interface Wrapping {
  flowed: boolean;
  deletesSpace: boolean;
}

/** Text stands at the beginning of a mail. What is flowed further on is joined without a look at its marks. */
const maxSearched = 1_000_000;
const contentTypes = /^content-type:[^\n]*(?:\n[ \t][^\n]*)*/gim;

/**
 * Takes `format=flowed` from the headers of a mail and says whether it was there. The parser joins lines without a look at their
 * quote marks, so it must take the text for fixed.
 * @param raw is changed
 */
export function takeWrapping(raw: Buffer): Wrapping {
  let flowed = false;
  let deletesSpace = false;
  for (const { 0: header, index } of raw.toString('latin1', 0, maxSearched).matchAll(contentTypes)) {
    const found = /format="?(flowed)\b/i.exec(header);
    if (!found) continue;
    flowed = true;
    deletesSpace ||= /delsp="?yes\b/i.test(header);
    raw.write('fixed ', index + found.index + found[0].indexOf(found[1] ?? ''), 'latin1');
  }
  return { flowed, deletesSpace };
}

/** The quote marks of a line, and its text without the space that keeps it from being read as one. */
function parts(line: string): { depth: number; text: string } {
  let depth = 0;
  while (line[depth] === '>') depth += 1;
  const text = line.slice(depth);
  return { depth, text: text.startsWith(' ') ? text.slice(1) : text };
}

/** The text with its paragraphs in one line each. Quoted lines keep their marks. */
export function unflow(text: string, { deletesSpace }: Wrapping): string {
  const lines: { depth: number; pieces: string[] }[] = [];
  let isOpen = false;
  for (const line of text.split('\n')) {
    const { depth, text: piece } = parts(line);
    const continues = piece.endsWith(' ') && piece !== '-- ';
    const words = continues && deletesSpace ? piece.slice(0, -1) : piece;
    const last = lines.at(-1);
    if (isOpen && last?.depth === depth && piece !== '-- ') last.pieces.push(words);
    else lines.push({ depth, pieces: [words] });
    isOpen = continues;
  }
  return lines
    .map(({ depth, pieces }) => (depth ? `${'>'.repeat(depth)} ${pieces.join('')}` : pieces.join('')))
    .join('\n');
}
