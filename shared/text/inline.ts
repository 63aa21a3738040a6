import { findLinks, isSafeAddress, trueAddress } from './links.ts';
import type { TextNode } from './nodes.ts';

interface InlineOptions {
  /** Whether marks of emphasis and `[text](address)` are read. */
  isFormatted: boolean;
  /** Whether it is the text of a link, in which no address is another one. */
  isLabel?: boolean;
}

/** A part of a text that becomes an element. */
interface Part {
  from: number;
  to: number;
  /** The element, for a part in which no mark is read. */
  node?: TextNode;
  /** The mark at both ends of an emphasised part. */
  mark?: string;
}

const code = /`([^`\n]+)`/g;
const codeOrLink =
  /`([^`\n]+)`|!?\[([^[\]\n]+)\]\(<?([^\s()<>]+(?:\([^\s()<>]*\)[^\s()<>]*)*)>?(?: "[^"\n]*")?\)/g;

/** Code and links. */
function findNodes(text: string, { isFormatted, isLabel }: InlineOptions): Part[] {
  const nodes: Part[] = [];
  let done = 0;
  const addLinks = (to: number) => {
    if (isLabel) return;
    for (const { from, to: end, href, label } of findLinks(text.slice(done, to)))
      nodes.push({
        from: done + from,
        to: done + end,
        node: { type: 'link', url: href, bare: text.slice(done + from, done + end), children: [label] },
      });
  };
  for (const { 0: found, 1: codeText, 2: label, 3: url, index } of text.matchAll(
    isFormatted && !isLabel ? codeOrLink : code,
  )) {
    // As Markdown that is not understood, it stays as it was written.
    if (codeText === undefined && !isSafeAddress(url!)) continue;
    addLinks(index);
    done = index + found.length;
    nodes.push({
      from: index,
      to: done,
      node: codeText === undefined ? linkOf(label!, url!) : { type: 'inlineCode', text: codeText },
    });
  }
  addLinks(text.length);
  return nodes;
}

function linkOf(label: string, url: string): TextNode {
  const target = trueAddress(label, url);
  const children = readInline(label, { isFormatted: true, isLabel: true });
  return { type: 'link', url, children: target === null ? children : [...children, ` (${target})`] };
}

const mark = /[*_~]+|\n/g;
const elements: Record<string, readonly ('strong' | 'emphasis' | 'deleted')[]> = {
  '*': ['emphasis'],
  _: ['emphasis'],
  '**': ['strong'],
  '***': ['strong', 'emphasis'],
  '~~': ['deleted'],
};
// Scripts without spaces have marks within what looks like one word.
const before =
  /^(?:[\s"'([{*_~]|[^\P{P}\0-\x7f]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}])?$/u;
const after =
  /^(?:[\s.,;:!?"')\]}*_~-]|[^\P{P}\0-\x7f]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}])?$/u;
const isSpace = (letter: string) => letter.trim() === '';

/**
 * Parts of a line between two equal marks at the edges of words, in the order of their ends. `2*3*4`, `snake_case_name`
 * and `__init__` have none.
 */
function findEmphasis(text: string, nodes: readonly Part[]): Part[] {
  const pairs: Part[] = [];
  const open = new Map<string, number>();
  let next = 0;
  for (const { 0: found, index } of text.matchAll(mark)) {
    while (nodes[next] && nodes[next]!.to <= index) next += 1;
    if (nodes[next] && nodes[next]!.from <= index) continue;
    if (found === '\n') {
      open.clear();
      continue;
    }
    if (!elements[found]) continue;
    const end = index + found.length;
    const [last, following] = [text.charAt(index - 1), text.charAt(end)];
    const from = open.get(found);
    if (from !== undefined && !isSpace(last) && after.test(following) && index > from + found.length) {
      pairs.push({ from, to: end, mark: found });
      open.delete(found);
    } else if (before.test(last) && !isSpace(following)) open.set(found, index);
  }
  return pairs;
}

/** The nodes of a text without blocks. Line breaks stay in it. */
export function readInline(text: string, options: InlineOptions): TextNode[] {
  const nodes = findNodes(text, options);
  const parts = options.isFormatted ? [...nodes, ...findEmphasis(text, nodes)] : nodes;
  parts.sort((a, b) => a.from - b.from);
  let at = 0;
  function read(from: number, to: number): TextNode[] {
    const found: TextNode[] = [];
    let done = from;
    const addText = (end: number) => {
      if (end > done) found.push(text.slice(done, end));
    };
    for (; at < parts.length && parts[at]!.from < to;) {
      const { mark: sign = '', node, from: begin, to: end } = parts[at]!;
      at += 1;
      // Across the end of another.
      if (begin < done || end > to) continue;
      addText(begin);
      if (node) found.push(node);
      else {
        const children = read(begin + sign.length, end - sign.length);
        const wrap = (within: TextNode[], type: 'strong' | 'emphasis' | 'deleted'): TextNode[] => [
          { type, children: within },
        ];
        found.push(...elements[sign]!.reduceRight(wrap, children));
      }
      done = end;
    }
    addText(to);
    return found;
  }
  return read(0, text.length);
}
