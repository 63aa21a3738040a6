import { describe, expect, it } from 'vitest';
import type { ArticleNode } from '../../../shared/contract/articles.ts';
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
    ['---\npinned: soon\n---\n# T', 'pinned'],
    [
      '---\ndescription: >\n  two\n  lines\ntags: [a, b]\nauthors:\n  - a\n---\n# T',
      'description, tags, authors',
    ],
    ['---\n__proto__: 1\n---\n# T', '__proto__'],
    ['---\n"pinned": -1\n...\n# T', 'pinned'],
    ['+++\npinned = 1\n+++\n# T', 'TOML'],
    ['{\n  "pinned": [1]\n}\n# T', 'pinned'],
    ['---\na: &a [x, x]\npinned: *a\n---\n# T', 'a, pinned'],
  ])('with the foreign front matter of %j is served, with a warning', (text, detail) => {
    const { article, errors } = parse(text);
    expect(article).toMatchObject({ title: 'T', nodes: [], summary: '' });
    expect(article).not.toHaveProperty('pinned');
    expect(errors).toEqual([{ kind: 'front_matter', line: 1, detail }]);
  });

  it.each(['---\nsummary: Sizes: how to\n---\n# T', '---\ntags: [a\n---\n# T', '---\na: 1\na: 2\n---\n# T'])(
    'with invalid YAML as front matter, as in %j, is served with a warning',
    (text) => {
      const { article, errors } = parse(text);
      expect(article).toMatchObject({ title: 'T', nodes: [] });
      expect(errors).toMatchObject([{ kind: 'front_matter', line: 1 }]);
    },
  );

  it.each([
    '---\npinned: 1 # a comment\n---\n# T',
    "---\n# a comment\npinned: '1'\n---\n# T",
    '\uFEFF---\r\n\r\n"pinned" :  1\r\n---  \r\n# T',
    '{\n  "pinned": 1\n}\n# T',
    '---\ntitle: "T"\npinned: 1\n---\n',
    '---\ntitle: Not shown\npinned: 1\n---\n# T',
  ])('with the front matter of %j has its title and its place', (text) => {
    const { article, errors } = parse(text);
    expect(article).toMatchObject({ title: 'T', pinned: 1, nodes: [] });
    expect(errors).toEqual([]);
  });

  it.each(['---\n---\n# T', '---\n# a comment\n---\n# T'])(
    'with the empty front matter of %j is served',
    (text) => expect(parse(text)).toMatchObject({ article: { title: 'T', nodes: [] }, errors: [] }),
  );

  it.each([
    ['---\n\n# T\n\nText\n\n---\n\nMore', 'Text'],
    ['---\n\nText\n\n# T', 'Text'],
    ['{\nText\n\n# T', '{ Text'],
    ['+++\n\n# T\n\nText', '+++'],
  ])('that begins with a rule or a mark, as in %j, loses none of its text', (text, summary) =>
    expect(parse(text)).toMatchObject({ article: { title: 'T', summary }, errors: [] }),
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
      { type: 'article', id: 'delivery', part: 'x', children: ['b'] },
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

  it('include headings with the ids that GitHub makes', () => {
    const ids = nodesOf(
      '## What’s new, *really*?\n## Größe & Maß\n## Gro\u0308\u00dfe\n## `a_b` 1.2\n## 返品\n## x\n## x\n> ## x\n\n## Title',
    ).flatMap((node) => Object(node).id ?? Object(node).children[0].id);
    expect(ids).toEqual([
      'whats-new-really',
      'größe--maß',
      'größe',
      'a_b-12',
      '返品',
      'x',
      'x-1',
      'x-2',
      'title-1',
    ]);
  });

  it.each([
    ['#größe', 'größe'],
    ['#gr%C3%B6%C3%9Fe', 'größe'],
    ['#gro\u0308ße', 'größe'],
    ['#Größe', 'größe'],
    ['returns.md#x', 'x'],
    ['./returns.md?a#x', 'x'],
    ['#100%', '100%'],
    ['#title', 'title'],
  ])('include a link to %j of the same article', (url, part) => {
    const all = { hasArticle: () => true, hasImage: () => false };
    const { nodes, links } = parseArticle(`# Title\n\n[x](<${url}>)`, 'en/returns.md', all).article!;
    expect(nodes).toEqual([
      { type: 'paragraph', children: [{ type: 'article', id: 'returns', part, children: ['x'] }] },
    ]);
    expect(links).toEqual([{ id: 'returns', part, line: 3 }]);
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
