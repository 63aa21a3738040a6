import { splitLinks } from './links.ts';
import type { Piece } from './links.ts';

// A fence includes the line breaks beside it, since it is shown as a block, and the name of its language.
const code = /\n?```(?:[\w+#-]*\n)?([^]+?)\n?```\n?|`([^`\n]+)`/g;

/** Splits a message into plain pieces, links and code. There are no links in code. */
export function splitText(text: string): Piece[] {
  const pieces: Piece[] = [];
  let done = 0;
  for (const { 0: whole, 1: block, 2: inline, index } of text.matchAll(code)) {
    pieces.push(...splitLinks(text.slice(done, index)), {
      text: block ?? inline!,
      code: block ? 'block' : 'inline',
    });
    done = index + whole.length;
  }
  return [...pieces, ...splitLinks(text.slice(done))];
}
