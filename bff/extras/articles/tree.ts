import GithubSlugger from 'github-slugger';
import type { Heading, Nodes, Root, RootContent, Table } from 'mdast';
import { splitLinks, trueAddress } from '../../../shared/text/links.ts';
import { toString as textIn } from 'mdast-util-to-string';
import type { ArticleNode } from '../../../shared/contract/articles.ts';
import type { ArticleError, ArticleErrorKind } from './errors.ts';
import { nameOf, readImage, readLink } from './references.ts';

/** Whether the folder has an article with this id, or an image at this path. */
export interface Known {
  hasArticle: (id: string) => boolean;
  hasImage: (path: string) => boolean;
}

export interface PartLink {
  id: string;
  part: string;
  line: number;
}

const levels = [2, 2, 3, 4, 4, 4] as const;

function* headingsIn(nodes: readonly Nodes[]): Generator<Heading> {
  for (const node of nodes)
    if (node.type === 'heading') yield node;
    else if ('children' in node) yield* headingsIn(node.children);
}

/**
 * Converts Markdown to the nodes that browsers get. Only the node types listed here are kept.
 * @param from path of the file below the folder, which relative references start from
 */
export function treeOf(root: Root, from: string, title: string, { hasArticle, hasImage }: Known) {
  const errors: ArticleError[] = [];
  const links: PartLink[] = [];
  // Authors know the ids that GitHub makes.
  const slugger = new GithubSlugger();
  const slugOf = (text: string) => slugger.slug(nameOf(text));
  const parts = new Set([slugOf(title)]);
  const ids = new Map<Heading, string>();
  for (const heading of headingsIn(root.children)) {
    const id = slugOf(textIn(heading, { includeHtml: false, includeImageAlt: false }).trim());
    ids.set(heading, id);
    parts.add(id);
  }
  const definitions = new Map<string, { url: string }>();
  for (const node of root.children)
    if (node.type === 'definition' && !definitions.has(node.identifier))
      definitions.set(node.identifier, node);

  const lineOf = (node: Nodes) => node.position?.start.line ?? 1;
  const report = (kind: ArticleErrorKind, node: Nodes, detail: string) =>
    errors.push({ kind, line: lineOf(node), detail });
  const all = (nodes: readonly RootContent[]) => nodes.flatMap(convert);
  const within = (nodes: readonly Nodes[]) => all(nodes as readonly RootContent[]);
  let isInLink = false;

  /** The content of a link, in which no address is another one. */
  function labelOf(nodes: readonly Nodes[]): ArticleNode[] {
    isInLink = true;
    const label = within(nodes);
    isInLink = false;
    return label;
  }

  const textOf = (value: string) =>
    splitLinks(value).flatMap(({ text, href }): ArticleNode[] => {
      if (href !== undefined) return [{ type: 'link', url: href, bare: text, children: [text] }];
      return text ? [text] : [];
    });

  function linkOf(node: Nodes, url: string, children: ArticleNode[]): ArticleNode[] {
    const link = readLink(url, from);
    if (link && 'url' in link) {
      const target = trueAddress(textIn(node), link.url);
      return [
        { type: 'link', url: link.url, children: target === null ? children : [...children, ` (${target})`] },
      ];
    }
    if (link && hasArticle(link.id)) {
      const { id, part } = link;
      if (part) links.push({ id, part, line: lineOf(node) });
      return [{ type: 'article', id, ...(part && { part }), children }];
    }
    report('bad_link', node, url);
    return children;
  }

  function imageOf(node: Nodes, url: string, alt: string): ArticleNode[] {
    const path = readImage(url, from);
    if (path !== null && hasImage(path)) return [{ type: 'image', path, alt }];
    report(path === null ? 'unsupported_image' : 'missing_image', node, url);
    return alt ? [alt] : [];
  }

  const tableOf = (table: Table): ArticleNode => ({
    type: 'table',
    rows: table.children.map((row) => row.children.map((cell) => within(cell.children))),
  });

  function convert(node: RootContent): ArticleNode[] {
    switch (node.type) {
      case 'text':
        return isInLink ? [node.value] : textOf(node.value);
      case 'paragraph':
      case 'emphasis':
      case 'strong':
      case 'blockquote':
        return [{ type: node.type, children: within(node.children) }];
      case 'listItem':
        return [{ type: 'item', children: within(node.children) }];
      case 'heading':
        return [
          {
            type: 'heading',
            level: levels[node.depth - 1]!,
            ...(ids.get(node) && { id: ids.get(node)! }),
            children: within(node.children),
          },
        ];
      case 'list':
        return [
          { type: 'list', ...(node.ordered && { start: node.start ?? 1 }), children: within(node.children) },
        ];
      case 'inlineCode':
      case 'code':
        return [{ type: node.type, text: node.value }];
      case 'link':
        return linkOf(node, node.url, labelOf(node.children));
      case 'linkReference':
        return linkOf(node, definitions.get(node.identifier)?.url ?? '', labelOf(node.children));
      case 'image':
        return imageOf(node, node.url, node.alt ?? '');
      case 'imageReference':
        return imageOf(node, definitions.get(node.identifier)?.url ?? '', node.alt ?? '');
      case 'table':
        return [tableOf(node)];
      case 'thematicBreak':
      case 'break':
        return [{ type: node.type }];
      case 'html':
        // Comments are for editors of the file.
        if (!node.value.startsWith('<!--')) report('html', node, node.value.slice(0, 40));
        return [];
      default:
        return [];
    }
  }

  const nodes = all(root.children);
  return { nodes, parts, links, errors };
}
