import { readInline } from './inline.ts';
import type { TextNode } from './nodes.ts';

/** Quotes within quotes; deeper ones are text. */
const maxDepth = 5;

const heading = /^ {0,3}(#{1,6}) +(\S.*)$/;
const rule = /^ {0,3}(?:-{3,}|\*{3,}|_{3,}) *$/;
const bullet = /^( {0,12})[-*•] +(\S.*)$/;
const numbered = /^( {0,12})(\d{1,4})[.)] +(\S.*)$/;
const quote = /^ {0,3}>(?= |>|\p{L}|$) ?/u;
/** "> 5 kg" and ">= 3": more than, not a quote. */
const comparison = /^ {0,3}> ?[=\p{Nd}\p{Sc}]/u;
const levels = [2, 2, 3, 4, 4, 4] as const;

interface Item {
  indent: number;
  /** Null in a list without numbers. */
  number: number | null;
  lines: string[];
}

const inline = (text: string) => readInline(text, { isFormatted: true });

function itemOf(line: string): Item | null {
  const found = bullet.exec(line);
  if (found) return { indent: found[1]!.length, number: null, lines: [found[2]!] };
  const counted = numbered.exec(line);
  return counted && { indent: counted[1]!.length, number: Number(counted[2]), lines: [counted[3]!] };
}

/** Two items or more, with the lines that belong to them. A single one is text, such as "1. We received your parcel." */
function readList(lines: readonly string[], from: number): { nodes: TextNode[]; to: number } | null {
  const items: Item[] = [];
  let to = from;
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at]!;
    const item = itemOf(line);
    const first = items[0] ?? item;
    if (!first) return null;
    if (item && (item.indent > first.indent + 1 || (item.number === null) === (first.number === null)))
      items.push(item);
    else if (line.trim() === '') continue;
    // A line that is indented belongs to the item above, unless a blank line is between them.
    else if (!item && to === at && /^ {2,}/.test(line)) items.at(-1)!.lines.push(line.trimStart());
    else break;
    to = at + 1;
  }
  return items.length < 2 ? null : { nodes: listsOf(items), to };
}

/** Items as lists. Those that are indented by two more than the first are a list within the item above. */
function listsOf(items: readonly Item[]): TextNode[] {
  const [first] = items;
  if (!first) return [];
  const lists: Extract<TextNode, { type: 'list' }>[] = [];
  let isCounted: boolean | null = null;
  for (let at = 0; at < items.length;) {
    const { number, lines } = items[at]!;
    let end = at + 1;
    while (end < items.length && items[end]!.indent > first.indent + 1) end += 1;
    const within = items.slice(at + 1, end);
    if (isCounted !== (number !== null))
      lists.push({ type: 'list', ...(number !== null && { start: number }), children: [] });
    isCounted = number !== null;
    lists.at(-1)!.children.push({
      type: 'item',
      ...(number !== null && { value: number }),
      children: [...inline(lines.join('\n')), ...listsOf(within)],
    });
    at = end;
  }
  return lists;
}

function cellsOf(line: string): string[] {
  const cells = line
    .trim()
    .replaceAll('\\|', '\0')
    .split('|')
    .map((cell) => cell.replaceAll('\0', '|').trim());
  if (cells[0] === '') cells.shift();
  if (cells.at(-1) === '') cells.pop();
  return cells;
}

/** A line of headings, a line of dashes with as many cells, and the rows. */
function readTable(lines: readonly string[], from: number): { nodes: TextNode[]; to: number } | null {
  const dashes = lines[from + 1];
  if (!lines[from]!.includes('|') || !dashes?.includes('|')) return null;
  const { length } = cellsOf(lines[from]!);
  const marks = cellsOf(dashes);
  if (marks.length !== length || !marks.every((mark) => /^:?-+:?$/.test(mark))) return null;
  let to = from + 2;
  while (lines[to]?.includes('|')) to += 1;
  const rows = [lines[from]!, ...lines.slice(from + 2, to)].map((line) => cellsOf(line).map(inline));
  return { nodes: [{ type: 'table', rows }], to };
}

/** `nodes` is null where the lines are text. */
function readQuote(lines: readonly string[], from: number, depth: number) {
  let to = from;
  while (to < lines.length && quote.test(lines[to]!)) to += 1;
  const quoted = lines.slice(from, to);
  if (to === from) return null;
  if (depth >= maxDepth || quoted.every((line) => comparison.test(line))) return { nodes: null, to };
  const children = readLines(
    quoted.map((line) => line.replace(quote, '')),
    depth + 1,
  );
  return { nodes: [{ type: 'blockquote', children }] satisfies TextNode[], to };
}

function readLine(line: string): TextNode | null {
  if (rule.test(line)) return { type: 'thematicBreak' };
  const found = heading.exec(line);
  if (!found) return null;
  return {
    type: 'heading',
    level: levels[found[1]!.length - 1]!,
    children: inline(found[2]!.replace(/ #+$/, '')),
  };
}

/** Blocks, and the text between them without the blank lines beside a block. */
function readLines(lines: readonly string[], depth: number): TextNode[] {
  const nodes: TextNode[] = [];
  let text: string[] = [];
  const endText = () => {
    const plain = text
      .join('\n')
      .replace(/^(?:[ \t]*\n)+/, '')
      .trimEnd();
    if (plain) nodes.push(...inline(plain));
    text = [];
  };
  for (let at = 0; at < lines.length;) {
    const single = readLine(lines[at]!);
    const block = single
      ? { nodes: [single], to: at + 1 }
      : (readTable(lines, at) ?? readQuote(lines, at, depth) ?? readList(lines, at));
    const to = block?.to ?? at + 1;
    if (block?.nodes) {
      endText();
      nodes.push(...block.nodes);
    } else text.push(...lines.slice(at, to));
    at = to;
  }
  endText();
  return nodes;
}

/** Headings, rules, tables, quotes and lists, as agents know them from Markdown, and the text between them. */
export const readBlocks = (text: string): TextNode[] => readLines(text.split('\n'), 0);
