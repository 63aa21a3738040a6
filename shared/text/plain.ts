import type { TextNode } from './nodes.ts';

const isBlock = (node: TextNode | undefined) =>
  typeof node === 'object' &&
  !['emphasis', 'strong', 'deleted', 'inlineCode', 'link', 'break'].includes(node.type);

/** A message without marks of formatting, as text of several lines. `isShort`: without addresses of links and without what is quoted. */
export function plainText(nodes: readonly TextNode[], { isShort }: { isShort: boolean }): string {
  const within = (children: readonly TextNode[]) => plainText(children, { isShort });
  const indented = (text: string, sign: string) => text.replace(/^/gm, sign);

  function textOf(node: TextNode): string {
    if (typeof node === 'string') return node;
    switch (node.type) {
      case 'inlineCode':
      case 'code':
        return node.text;
      case 'link': {
        const label = within(node.children);
        return isShort ? label : (node.bare ?? `${label} (${node.url})`);
      }
      case 'blockquote':
        return indented(within(node.children), '> ');
      case 'quoted':
        return isShort ? '' : within(node.children);
      case 'list':
        return node.children.map(textOf).join('\n');
      case 'item':
        return `${node.value === undefined ? '•' : `${node.value}.`} ${within(node.children).replaceAll('\n', '\n  ')}`;
      case 'table':
        return node.rows.map((row) => row.map(within).join(' | ')).join('\n');
      case 'thematicBreak':
        return '---';
      case 'break':
        return '\n';
      default:
        return within(node.children);
    }
  }

  return nodes
    .map((node, at) => {
      const isApart = at > 0 && (isBlock(node) || isBlock(nodes[at - 1]));
      return `${isApart ? '\n' : ''}${textOf(node)}`;
    })
    .join('')
    .trim();
}
