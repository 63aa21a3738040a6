import { h, type VNode } from 'preact';
import type { ArticleNode } from '../../../bff/contract/articles.ts';
import { drawNodes } from '../../../shared/text/draw.ts';

interface NodesProps {
  nodes: readonly ArticleNode[];
  /** Title of the article, for elements without a name of their own. */
  title: string;
  fileUrl: (path: string) => string;
  /** Shows another article. */
  onArticle: (id: string) => void;
}

/** The nodes of an article as elements. SECURITY: never as HTML. */
export function Nodes({ nodes, title, fileUrl, onArticle }: NodesProps) {
  return (
    <>
      {drawNodes(nodes, {
        create: (tag, attributes, children: (VNode | string)[]) => h(tag, attributes, ...children) as VNode,
        tableName: title,
        own: (node, within) =>
          node.type === 'image' ? (
            <img src={fileUrl(node.path)} alt={node.alt} loading="lazy" decoding="async" />
          ) : (
            <button type="button" class="link inline" onClick={() => onArticle(node.id)}>
              {within(node.children)}
            </button>
          ),
      })}
    </>
  );
}
