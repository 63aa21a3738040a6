import { readBlocks } from './blocks.ts';
import { readInline } from './inline.ts';
import type { TextNode } from './nodes.ts';
import { splitQuoted } from './quoted.ts';

// A fence includes the line breaks beside it, since it is shown as a block, and the name of its language.
const fence = /\n?```(?:[\w+#-]*\n)?([^]+?)\n?```\n?/g;

/** With more lines, a text is shown as it was typed: thousands of rows or items take a browser long. */
const maxLines = 1_000;

/** Code between fences, and the text between it. */
function readText(text: string, isFormatted: boolean): TextNode[] {
  const read = (part: string) => {
    if (part === '') return [];
    return isFormatted ? readBlocks(part) : readInline(part, { isFormatted });
  };
  const nodes: TextNode[] = [];
  let done = 0;
  for (const { 0: whole, 1: code, index } of text.matchAll(fence)) {
    nodes.push(...read(text.slice(done, index)), { type: 'code', text: code! });
    done = index + whole.length;
  }
  return [...nodes, ...read(text.slice(done))];
}

/**
 * A message as it is drawn everywhere: in the conversation and at the desk, in previews, mails and files. An agent's
 * marks of formatting become elements. A customer's text is shown as it was typed, with its links and code.
 */
export function readMessage(body: string, author: 'agent' | 'customer'): TextNode[] {
  const text = body.replace(/\r\n?|[\u2028\u2029]/g, '\n');
  const isFormatted = author === 'agent' && text.split('\n')[maxLines] === undefined;
  const parts = splitQuoted(text);
  if (!parts) return readText(text, isFormatted);
  // A quote has its signs, which show who wrote what.
  return [
    ...readText(parts.before, isFormatted),
    { type: 'quoted', children: readInline(parts.quoted, { isFormatted: false }) },
    ...readText(parts.after, isFormatted),
  ];
}
