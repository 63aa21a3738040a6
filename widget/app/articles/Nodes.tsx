import type { ComponentChild } from 'preact';
import type { ArticleElement, ArticleNode } from '../../../bff/contract/articles.ts';

interface NodesProps {
  nodes: readonly ArticleNode[];
  /** Title of the article, for elements without a name of their own. */
  title: string;
  fileUrl: (path: string) => string;
  /** Shows another article. */
  onArticle: (id: string) => void;
}

/** SECURITY: the BFF has checked it, too. */
const isSafe = (url: string) => /^(?:https?|mailto|tel):/.test(url);

/** The nodes of an article as elements. SECURITY: never as HTML. */
export function Nodes({ nodes, ...more }: NodesProps) {
  return <>{nodes.map((node) => (typeof node === 'string' ? node : draw(node, more)))}</>;
}

type More = Omit<NodesProps, 'nodes'>;

const names = {
  paragraph: 'p',
  emphasis: 'em',
  strong: 'strong',
  blockquote: 'blockquote',
  item: 'li',
} as const;

function draw(node: ArticleElement, more: More): ComponentChild {
  const within = (nodes: readonly ArticleNode[]) => <Nodes nodes={nodes} {...more} />;
  switch (node.type) {
    case 'heading': {
      const Heading = `h${node.level}` as 'h2';
      return <Heading>{within(node.children)}</Heading>;
    }
    case 'list':
      return node.start === undefined ? (
        <ul>{within(node.children)}</ul>
      ) : (
        <ol start={node.start}>{within(node.children)}</ol>
      );
    case 'inlineCode':
      return <code>{node.text}</code>;
    case 'code':
      return (
        <pre>
          <code>{node.text}</code>
        </pre>
      );
    case 'link':
      return isSafe(node.url) ? (
        <a href={node.url} target="_blank" rel="noopener noreferrer nofollow">
          {within(node.children)}
        </a>
      ) : (
        within(node.children)
      );
    case 'article':
      return (
        <button type="button" class="link inline" onClick={() => more.onArticle(node.id)}>
          {within(node.children)}
        </button>
      );
    case 'image':
      return <img src={more.fileUrl(node.path)} alt={node.alt} loading="lazy" decoding="async" />;
    case 'table':
      return <Table rows={node.rows} {...more} />;
    case 'thematicBreak':
      return <hr />;
    case 'break':
      return <br />;
    default: {
      const Name = names[node.type];
      return <Name>{within(node.children)}</Name>;
    }
  }
}

/** It can be scrolled, by keyboard too. */
function Table({ rows, ...more }: More & { rows: readonly ArticleNode[][][] }) {
  const [head = [], ...body] = rows;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex, jsx-a11y/prefer-tag-over-role -- what scrolls must take the focus
    <div class="table" role="group" aria-label={more.title} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((cell) => (
              <th scope="col">
                <Nodes nodes={cell} {...more} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {body.map((row) => (
            <tr>
              {row.map((cell) => (
                <td>
                  <Nodes nodes={cell} {...more} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
