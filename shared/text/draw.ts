import type { Formatted, NodeOf, TextNode } from './nodes.ts';

/** Makes an element: of Preact, of hono's JSX, or as HTML. */
export type Create<Element> = (
  tag: string,
  attributes: Record<string, string | number>,
  children: (Element | string)[],
) => Element;

interface Drawing<Own, Element> {
  create: Create<Element>;
  /** Draws what only some texts have. */
  own: (node: Own, within: (nodes: readonly NodeOf<Own>[]) => (Element | string)[]) => Element;
  /** Name of a table, which can be scrolled by keyboard. */
  tableName: string;
}

const tags = {
  paragraph: 'p',
  emphasis: 'em',
  strong: 'strong',
  deleted: 'del',
  blockquote: 'blockquote',
} as const;

// Links say nothing to the other site, and leave the page where it is.
const elsewhere = { target: '_blank', rel: 'noopener noreferrer nofollow' };

/** The id of a heading's element, which is never that of an element of the app. */
export const partId = (part: string): string => `part-${part}`;

/** SECURITY: whoever made the node has checked it, too. */
const isSafe = (url: string) => /^(?:https?|mailto|tel):/.test(url);

/** The nodes of a text as elements. SECURITY: never as HTML, so that no text becomes a tag. */
export function drawNodes<Own, Element>(
  nodes: readonly NodeOf<Own>[],
  drawing: Drawing<Own, Element>,
): (Element | string)[] {
  const { create, own, tableName } = drawing;
  const within = (children: readonly NodeOf<Own>[]) => drawNodes(children, drawing);
  const row = (tag: string, cells: readonly NodeOf<Own>[][]) =>
    create(
      'tr',
      {},
      cells.map((cell) => create(tag, tag === 'th' ? { scope: 'col' } : {}, within(cell))),
    );

  /** Null for what only some texts have. */
  function draw(node: Formatted<Own>): Element | (Element | string)[] | null {
    switch (node.type) {
      case 'paragraph':
      case 'emphasis':
      case 'strong':
      case 'deleted':
      case 'blockquote':
        return create(tags[node.type], {}, within(node.children));
      case 'heading':
        return create(
          `h${node.level}`,
          node.id ? { id: partId(node.id), tabindex: -1 } : {},
          within(node.children),
        );
      case 'list':
        return create(
          node.start === undefined ? 'ul' : 'ol',
          node.start === undefined ? {} : { start: node.start },
          within(node.children),
        );
      case 'item':
        return create('li', node.value === undefined ? {} : { value: node.value }, within(node.children));
      case 'inlineCode':
        return create('code', {}, [node.text]);
      case 'code':
        return create('pre', {}, [create('code', {}, [node.text])]);
      case 'link':
        if (!isSafe(node.url)) return within(node.children);
        return create(
          'a',
          { href: node.url, title: node.url, ...(node.bare && { dir: 'ltr' }), ...elsewhere },
          within(node.children),
        );
      case 'table': {
        const [head = [], ...body] = node.rows;
        const table = create('table', {}, [
          create('thead', {}, [row('th', head)]),
          create(
            'tbody',
            {},
            body.map((cells) => row('td', cells)),
          ),
        ]);
        return create('div', { class: 'table', role: 'group', 'aria-label': tableName, tabindex: 0 }, [
          table,
        ]);
      }
      case 'thematicBreak':
        return create('hr', {}, []);
      case 'break':
        return create('br', {}, []);
      default:
        return null;
    }
  }

  return nodes.flatMap((node) => {
    if (typeof node === 'string') return node;
    return draw(node as Formatted<Own>) ?? own(node as Own, within);
  });
}

/** A message as elements. What a mail program has quoted is shown on demand. */
export const drawMessage = <Element>(
  nodes: readonly TextNode[],
  { create, tableName, quotedLabel }: { create: Create<Element>; tableName: string; quotedLabel: string },
): (Element | string)[] =>
  drawNodes(nodes, {
    create,
    tableName,
    own: ({ children }, within) =>
      create('details', {}, [
        create('summary', {}, [quotedLabel]),
        create('blockquote', {}, within(children)),
      ]),
  });
