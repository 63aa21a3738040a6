import { splitLinks } from './links.ts';
import type { Piece } from './links.ts';

// A fence takes the line breaks beside it along, since it stands in a box of its own, and the name of its language.
const code = /\n?```(?:[\w+#-]*\n)?([^]+?)\n?```\n?|`([^`\n]+)`/g;

/** Cuts a message into plain pieces, links and code; in code nothing is a link. */
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
