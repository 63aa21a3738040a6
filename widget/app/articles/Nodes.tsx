import { h, type VNode } from 'preact';
import type { ArticleNode } from '../../../shared/contract/articles.ts';
import { drawNodes, partId } from '../../../shared/text/draw.ts';

interface NodesProps {
  nodes: readonly ArticleNode[];
  /** Title of the article, for elements without a name of their own. */
  title: string;
  fileUrl: (path: string) => string;
  /** The part that was asked for, whose heading takes the focus. */
  part: string | undefined;
  /** Shows an article, or a part of it. */
  onArticle: (id: string, part?: string) => void;
}

/** The nodes of an article as elements. SECURITY: never as HTML. */
export function Nodes({ nodes, title, fileUrl, part, onArticle }: NodesProps) {
  return (
    <>
      {drawNodes(nodes, {
        create: (tag, attributes, children: (VNode | string)[]) => {
          const isPart = part !== undefined && attributes['id'] === partId(part);
          return h(tag, isPart ? { ...attributes, 'data-focus': 'part' } : attributes, ...children);
        },
        tableName: title,
        own: (node, within) =>
          node.type === 'image' ? (
            <img src={fileUrl(node.path)} alt={node.alt} loading="lazy" decoding="async" />
          ) : (
            <button type="button" class="link inline" onClick={() => onArticle(node.id, node.part)}>
              {within(node.children)}
            </button>
          ),
      })}
    </>
  );
}
