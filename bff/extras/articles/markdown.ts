import type { Heading, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { toString as textOf } from 'mdast-util-to-string';
import { gfmTable } from 'micromark-extension-gfm-table';
import { isMap, parseDocument } from 'yaml';
import type { ArticleNode } from '../../../shared/contract/articles.ts';
import { bounds } from './bounds.ts';
import type { ArticleError } from './errors.ts';
import { type Known, type PartLink, treeOf } from './tree.ts';

/* Reads the text of one article: its front matter and its Markdown. It opens no file, and knows nothing of other articles. */

export interface ParsedArticle {
  title: string;
  summary: string;
  pinned?: number;
  nodes: ArticleNode[];
  /** Ids of its headings. */
  parts: ReadonlySet<string>;
  /** Its links to parts of articles. */
  links: PartLink[];
  /** The text that is searched. */
  text: string;
}

interface FrontMatter {
  title?: string;
  /** Its place among the most useful articles. */
  pinned?: number;
}

interface SplitArticle {
  values: FrontMatter;
  /** What of the front matter is not read. */
  ignored?: string;
  /** The article, with empty lines for its front matter, so that line numbers stay correct. */
  body: string;
}

/** A line that ends front matter, by the line that begins it. JSON is YAML, too. */
const ends = new Map([
  ['---', /^(?:---|\.\.\.)$/],
  ['{', /^\}$/],
  ['+++', /^\+\+\+$/],
]);

/** Null for what is no front matter, such as text between two rules. */
function readYaml(text: string): Omit<SplitArticle, 'body'> | null {
  const { contents, errors } = parseDocument(text, { prettyErrors: false });
  const [error] = errors;
  if (error) return /^[\w-]+[ \t]*:/m.test(text) ? { values: {}, ignored: error.message } : null;
  if (!isMap(contents)) return contents ? null : { values: {} };
  const values: FrontMatter = {};
  const ignored: string[] = [];
  for (const { key } of contents.items) {
    const name = String(key);
    const value = contents.get(key);
    const plain = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
    if (name === 'title' && plain) values.title = plain;
    else if (name === 'pinned' && /^\d{1,4}$/.test(plain)) values.pinned = Number(plain);
    else ignored.push(name);
  }
  return { values, ...(ignored.length > 0 && { ignored: ignored.join(', ') }) };
}

/** Splits the front matter off an article. Without an end it is text. */
function splitFrontMatter(text: string): SplitArticle {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const first = lines[0]!.trimEnd();
  const end = ends.get(first);
  const last = end ? lines.findIndex((line, at) => at > 0 && end.test(line.trimEnd())) : -1;
  const whole = { values: {}, body: lines.join('\n') };
  if (last < 0) return whole;
  const isJson = first === '{';
  const content = lines.slice(isJson ? 0 : 1, isJson ? last + 1 : last).join('\n');
  const read = first === '+++' ? { values: {}, ignored: 'TOML' } : readYaml(content);
  if (!read) return whole;
  return { ...read, body: '\n'.repeat(last + 1) + lines.slice(last + 1).join('\n') };
}

const isTitle = (node: Root['children'][number]): node is Heading =>
  node.type === 'heading' && node.depth === 1;

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

/** The beginning of a text, up to the end of a word where it has spaces. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, max).toWellFormed();
  const space = head.lastIndexOf(' ');
  return `${space > max / 2 ? head.slice(0, space) : head.replace(/\uFFFD$/, '')}…`;
}

/**
 * Reads an article. `article` is null when an error prevents that it is served.
 * @param path of the file below the folder
 */
export function parseArticle(
  text: string,
  path: string,
  known: Known,
): { article: ParsedArticle | null; errors: ArticleError[] } {
  const { values, ignored, body } = splitFrontMatter(text);
  const warnings: ArticleError[] = ignored ? [{ kind: 'front_matter', line: 1, detail: ignored }] : [];
  const root = fromMarkdown(body, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] });
  const heading = root.children.find(isTitle);
  const title = heading ? oneLine(textOf(heading)) : (values.title ?? '');
  if (!title) return { article: null, errors: [...warnings, { kind: 'no_title', line: 1 }] };
  root.children = root.children.filter((node) => node !== heading);
  const { nodes, parts, links, errors } = treeOf(root, path, title, known);
  const first = root.children.find((node) => node.type === 'paragraph' && textOf(node).trim() !== '');
  const withoutHtml = { includeHtml: false, includeImageAlt: false };
  return {
    article: {
      title,
      summary: first ? cut(oneLine(textOf(first, withoutHtml)), bounds.summaryChars) : '',
      ...(values.pinned !== undefined && { pinned: values.pinned }),
      nodes,
      parts,
      links,
      text: root.children
        .map((node) => oneLine(textOf(node, withoutHtml)))
        .join(' ')
        .slice(0, bounds.searchedChars),
    },
    errors: [...warnings, ...errors],
  };
}

/** What links and images of articles may name. */
export interface Names {
  articles: ReadonlySet<string>;
  images: ReadonlySet<string>;
}

/** Null for an article that is nested deeper than the parser can go, or that has too many nodes. */
export function tryToParse(text: string, path: string, { articles, images }: Names) {
  try {
    const read = parseArticle(text, path, {
      hasArticle: (id) => articles.has(id),
      hasImage: (image) => images.has(image),
    });
    return JSON.stringify(read.article?.nodes ?? []).length > bounds.nodesChars ? null : read;
  } catch {
    return null;
  }
}
