import type { Heading, Root } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table';
import { toString as textOf } from 'mdast-util-to-string';
import { gfmTable } from 'micromark-extension-gfm-table';
import type { ArticleNode } from '../../../shared/contract/articles.ts';
import { bounds } from './bounds.ts';
import type { ArticleError } from './errors.ts';
import { splitFrontMatter } from './front-matter.ts';
import { type Known, type PartLink, treeOf } from './tree.ts';

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
