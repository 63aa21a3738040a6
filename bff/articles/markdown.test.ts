import { describe, expect, it } from 'vitest';
import type { ArticleNode } from '../contract/articles.ts';
import { bounds } from './bounds.ts';
import { parseArticle } from './markdown.ts';

const known = {
  hasArticle: (id: string) => id === 'delivery',
  hasImage: (path: string) => path === 'en/box.png' || path === 'images/a b.png',
};
const parse = (text: string) => parseArticle(text, 'en/returns.md', known);
const nodesOf = (text: string) => parse(`# Title\n\n${text}`).article!.nodes;
const errorsOf = (text: string) => parse(`# Title\n\n${text}`).errors;
/** The children of the only paragraph. */
function inlineOf(text: string): ArticleNode[] {
  const [paragraph] = nodesOf(text);
  return typeof paragraph === 'object' && 'children' in paragraph ? paragraph.children : [];
}

describe('an article', () => {
  it('has its first heading as title, and its first paragraph as summary', () => {
    const { article } = parse('# Returning\na *parcel*\n\n# **Returning** a parcel\n\nNot this.\n');
    expect(article).toMatchObject({ title: 'Returning', summary: 'a parcel' });
    expect(article!.nodes[1]).toMatchObject({ type: 'heading', level: 2 });
  });

  it('has no heading above the second level, and none below the fourth', () => {
    const levels = nodesOf('# a\n\n## b\n\n### c\n\n###### d').map((node) => Object(node).level as number);
    expect(levels).toEqual([2, 2, 3, 4]);
  });

  it('without a title is not served', () => {
    expect(parse('## Two\n\nText').article).toBeNull();
    expect(parse('#\n\nText').errors).toEqual([{ kind: 'no_title', line: 1 }]);
  });

  it('with a long first paragraph has a summary that ends between two words', () => {
    const { summary } = parse(`# Title\n\n${'word '.repeat(100)}`).article!;
    expect(summary).toMatch(/word…$/);
    expect(summary.length).toBeLessThanOrEqual(bounds.summaryChars + 1);
  });

  it('may be pinned by its front matter, and keeps the numbers of its lines', () => {
    const { article, errors } = parse('---\r\npinned: 2\r\n---\r\n# Title\r\n\r\n<b>x</b>\r\n');
    expect(article!.pinned).toBe(2);
    expect(errors.map(({ line }) => line)).toEqual([6, 6]);
  });

  it.each([
    '---\npinned: soon\n---\n# T',
    '---\ntags: a\n---\n# T',
    '---\npinned: 1\n# T',
    '---\n__proto__: 1\n---\n# T',
  ])('with the front matter of %j is not served', (text) =>
    expect(parse(text)).toEqual({ article: null, errors: [{ kind: 'bad_front_matter', line: 1 }] }),
  );
});

describe('the nodes of an article', () => {
  it('cover Markdown with tables', () => {
    expect(nodesOf('A *b* **c** `d`  \ne')).toEqual([
      {
        type: 'paragraph',
        children: [
          'A ',
          { type: 'emphasis', children: ['b'] },
          ' ',
          { type: 'strong', children: ['c'] },
          ' ',
          { type: 'inlineCode', text: 'd' },
          { type: 'break' },
          'e',
        ],
      },
    ]);
    expect(nodesOf('3. a\n4. b')).toEqual([
      {
        type: 'list',
        start: 3,
        children: ['a', 'b'].map((text) => ({
          type: 'item',
          children: [{ type: 'paragraph', children: [text] }],
        })),
      },
    ]);
    expect(nodesOf('> q\n\n---\n\n```js\nx\n```\n\n|a|b|\n|-|-|\n|1|*2*|')).toEqual([
      { type: 'blockquote', children: [{ type: 'paragraph', children: ['q'] }] },
      { type: 'thematicBreak' },
      { type: 'code', text: 'x' },
      {
        type: 'table',
        rows: [
          [['a'], ['b']],
          [['1'], [{ type: 'emphasis', children: ['2'] }]],
        ],
      },
    ]);
  });

  it('include links to addresses and to other articles', () => {
    expect(
      inlineOf(
        '[a](https://a.example/?q=1) [b](delivery.md#x) [c](../de/delivery.md) [d][e]\n\n[e]: tel:+49',
      ),
    ).toEqual([
      { type: 'link', url: 'https://a.example/?q=1', children: ['a'] },
      ' ',
      { type: 'article', id: 'delivery', children: ['b'] },
      ' ',
      { type: 'article', id: 'delivery', children: ['c'] },
      ' ',
      { type: 'link', url: 'tel:+49', children: ['d'] },
    ]);
  });

  it('include links for bare addresses, but none within a link', () => {
    expect(inlineOf('See https://a.example/x_(y). [www.a.example](https://b.example)')).toEqual([
      'See ',
      {
        type: 'link',
        url: 'https://a.example/x_(y)',
        bare: 'https://a.example/x_(y)',
        children: ['https://a.example/x_(y)'],
      },
      '. ',
      { type: 'link', url: 'https://b.example/', children: ['www.a.example', ' (b.example)'] },
    ]);
  });

  it('include images of the folder', () => {
    expect(inlineOf('![A box](box.png) ![](../images/a%20b.png)')).toEqual([
      { type: 'image', path: 'en/box.png', alt: 'A box' },
      ' ',
      { type: 'image', path: 'images/a b.png', alt: '' },
    ]);
  });
});

describe('hostile Markdown', () => {
  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    'a <b onclick="alert(1)">b</b>',
    '<svg><style><img src=x onerror=alert(1)></style></svg>',
    '<a href="javascript:alert(1)">x</a>',
  ])('%j loses its HTML, and the HTML is reported [articles-1]', (text) => {
    expect(JSON.stringify(nodesOf(text))).not.toMatch(/[<>]|onclick|href/);
    expect(errorsOf(text).map(({ kind }) => kind)).toContain('html');
  });

  it('with HTML in a comment is not reported: comments are for editors', () => {
    expect(parse('# Title\n\n<!-- <script>x</script> -->\n\nText')).toMatchObject({ errors: [] });
  });

  it.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'java&#115;cript:alert(1)',
    'java&Tab;script:alert(1)',
    '&#1;javascript:alert(1)',
    '<  javascript:alert(1)>',
    '<java\u00adscript:alert(1)>',
    'javascript&colon;alert(1)',
    'vbscript:x',
    'data:text/html,<script>alert(1)</script>',
    'blob:https://a.example/1',
    'file:///etc/passwd',
    '//a.example/x',
    '\\\\\\\\a.example',
    '/api/session',
    'delivery',
    'missing.md',
    'sub/delivery.md',
    '../../delivery.md',
    '%2e%2e/%2e%2e/delivery.md',
    '%',
  ])('keeps only the text of the link [x](%s), which is reported [articles-2]', (url) => {
    expect(JSON.stringify(nodesOf(`[x](${url})`))).not.toMatch(/"type":"(link|article)"/);
    expect(errorsOf(`[x](${url})`).map(({ kind }) => kind)).toEqual(['bad_link']);
  });

  it('keeps only the text of an autolink of a script', () => {
    expect(JSON.stringify(nodesOf('<javascript:alert(1)>'))).not.toContain('"link"');
  });

  it.each([
    ['data:image/png;base64,AAAA', 'unsupported_image'],
    ['data:image/svg+xml,%3Csvg/onload=alert(1)%3E', 'unsupported_image'],
    ['https://a.example/x.png', 'unsupported_image'],
    ['//a.example/x.png', 'unsupported_image'],
    ['../../x.png', 'unsupported_image'],
    ['%2e%2e%2f%2e%2e%2fx.png', 'unsupported_image'],
    ['..%5c..%5cx.png', 'unsupported_image'],
    ['/etc/x.png', 'unsupported_image'],
    ['returns.md', 'unsupported_image'],
    ['x.constructor', 'unsupported_image'],
    ['other.png', 'missing_image'],
  ])('keeps only the description of the image ![x](%s), which is reported [articles-3]', (url, kind) => {
    expect(nodesOf(`![x](<${url}>)`)).toEqual([{ type: 'paragraph', children: ['x'] }]);
    expect(errorsOf(`![x](<${url}>)`)).toMatchObject([{ kind, line: 3 }]);
  });
});
