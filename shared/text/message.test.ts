import { describe, expect, it } from 'vitest';
import { drawMessage } from './draw.ts';
import { readMessage } from './message.ts';
import { plainText } from './plain.ts';

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** As HTML, without what all links have. */
function htmlOf(body: string, author: 'agent' | 'customer' = 'agent'): string {
  const drawn = drawMessage<{ html: string }>(readMessage(body, author), {
    tableName: 'Conversation',
    quotedLabel: 'Show quoted text',
    create: (tag, attributes, children) => {
      const kept = Object.entries(attributes).filter(([name]) => ['href', 'value'].includes(name));
      const within = children
        .map((child) => (typeof child === 'string' ? escaped(child) : child.html))
        .join('');
      return {
        html: `<${tag}${kept.map(([name, value]) => ` ${name}="${value}"`).join('')}>${within}</${tag}>`,
      };
    },
  });
  return drawn.map((part) => (typeof part === 'string' ? escaped(part) : part.html)).join('');
}

const long = (body: string) => plainText(readMessage(body, 'agent'), { isShort: false });
const short = (body: string) => plainText(readMessage(body, 'agent'), { isShort: true });

describe('an agent’s text', () => {
  it.each(['|-|-\n', '- a\n', '1. a\n'])(
    'of a thousand lines of %j and more is shown as it was typed',
    (line) => {
      expect(readMessage(line.repeat(1_000), 'agent')).toEqual([line.repeat(1_000)]);
      expect(readMessage(line.repeat(999), 'agent')).not.toEqual([line.repeat(999).trimEnd()]);
    },
  );

  it.each([
    ['It is **really** *nice* and _soft_.', 'It is <strong>really</strong> <em>nice</em> and <em>soft</em>.'],
    ['**very *very* nice** ~~not~~', '<strong>very <em>very</em> nice</strong> <del>not</del>'],
    ['***both***', '<strong><em>both</em></strong>'],
    ['(*so*)!', '(<em>so</em>)!'],
    ['这是**重要**的，「*引用*」', '这是<strong>重要</strong>的，「<em>引用</em>」'],
    ['Run `npm ci`', 'Run <code>npm ci</code>'],
    ['a\n```js\nif (a) {\n  **b`c`;\n}\n```\nb', 'a<pre><code>if (a) {\n  **b`c`;\n}</code></pre>b'],
    ['a\r\n```\r\nx\r\ny\r\n```\r\nb', 'a<pre><code>x\ny</code></pre>b'],
    ['# Title\nText\n\n### Part ###\nMore', '<h2>Title</h2>Text<h3>Part</h3>More'],
    ['Above\n---\nBelow', 'Above<hr></hr>Below'],
    ['> You said\n> **this**\n\nYes', '<blockquote>You said\n<strong>this</strong></blockquote>Yes'],
    ['> a\n>> b', '<blockquote>a<blockquote>b</blockquote></blockquote>'],
    [
      '| Size | Price |\n|:--|--:|\n| S | **5** |\n| a\\|b |',
      '<div><table><thead><tr><th>Size</th><th>Price</th></tr></thead><tbody><tr><td>S</td><td><strong>5</strong></td></tr><tr><td>a|b</td></tr></tbody></table></div>',
    ],
    [
      'See [the **page**](https://a.example/x_(y))',
      'See <a href="https://a.example/x_(y)">the <strong>page</strong></a>',
    ],
    ['![Box](https://a.example/b.png)', '<a href="https://a.example/b.png">Box</a>'],
    ['**https://a.example/x**', '<strong><a href="https://a.example/x">https://a.example/x</a></strong>'],
    ['https://a.example/_b_/(*c*)', '<a href="https://a.example/_b_/(*c*)">https://a.example/_b_/(*c*)</a>'],
  ])('%j shows its formatting', (text, html) => {
    expect(htmlOf(text)).toBe(html);
  });

  it.each([
    ['Please:\n- *one*\n- two\n\nThanks', 'Please:<ul><li><em>one</em></li><li>two</li></ul>Thanks'],
    ['1. a\r\n2. b\r\n', '<ol><li value="1">a</li><li value="2">b</li></ol>'],
    ['2. two\n\n3) three', '<ol><li value="2">two</li><li value="3">three</li></ol>'],
    [
      '1. a\n   goes on\n   - b\n   - c\n2. d',
      '<ol><li value="1">a\ngoes on<ul><li>b</li><li>c</li></ul></li><li value="2">d</li></ol>',
    ],
    [
      '- a\n- b\n1. c\n2. d',
      '<ul><li>a</li><li>b</li></ul><ol><li value="1">c</li><li value="2">d</li></ol>',
    ],
  ])('%j shows lists', (text, html) => {
    expect(htmlOf(text)).toBe(html);
  });

  it.each([
    '2*3*4, snake_case_name, __init__, * a *, ** b **, *open, ~5 or ~~',
    'Use C:\\*.txt, src/**/*.ts and a/**/b, or /usr/_lib_/x',
    '1. We received your parcel.',
    '- Ada',
    '234. message',
    '#123 is open\n#hashtag',
    '> 5 kg: 10 €\n> 10 kg: 20 €',
    'a >= b\n>:( and >_<',
    'One line\nand the next\n\n    an indented one\n\tand a tab',
    '+----+------+\n| id | name |\n+----+------+\n|  1 | Ada  |\n+----+------+',
    ' id | name\n----+------\n  1 | Ada',
    'Yes | no\nmaybe',
    '[x](javascript:alert(1)), [y](/path), [z](https://user@a.example) and [w] (v)',
    '\\*not emphasis\\*, :) and (c)',
    '5` and\n6`',
    '```\nwithout an end',
    '[ ] done [x]',
  ])('%j is shown as it was typed', (text) => {
    expect(htmlOf(text).replaceAll(/<\/?a[^>]*>/g, '')).toBe(escaped(text));
  });

  it('shows where a link leads whose text can be read as another address [browser-42]', () => {
    const shown = (text: string) => htmlOf(text).replaceAll(/<[^>]*>/g, '');
    expect(shown('[paypal.com](https://evil.example/x)')).toBe('paypal.com (evil.example)');
    expect(shown('[https://bank.example](https://bank.example.evil.example)')).toContain(
      '(bank.example.evil.example)',
    );
    expect(shown('[p\u0430ypal。com](https://evil.example)')).toContain('(evil.example)');
    expect(shown('[a@bank.example](mailto:b@evil.example)')).toContain('(b@evil.example)');
    expect(shown('[+49 30 123456](tel:+1900555555)')).toContain('(+1900555555)');
    expect(shown('[\u202emoc.knab](https://evil.example)')).toContain('(evil.example)');
    for (const same of ['www.a.example/faq', 'A.example', 'our page', 'https://a.example'])
      expect(shown(`[${same}](https://a.example/faq)`)).toBe(same);
  });

  it('is never HTML', () => {
    expect(htmlOf('**<img src=x onerror=alert(1)>**\n- <b>\n- </ul>')).not.toMatch(/<(img|b>|script)/);
  });
});

it('a customer’s text is shown as it was typed, with links and code', () => {
  const typed = '*so* **it**\n- a\n- b\n# c\n> d\n[e](https://a.example/)';
  expect(htmlOf(typed, 'customer').replaceAll(/<\/?a[^>]*>/g, '')).toBe(escaped(typed));
  expect(htmlOf('`x` https://a.example/', 'customer')).toBe(
    '<code>x</code> <a href="https://a.example/">https://a.example/</a>',
  );
});

describe('the plain form of a text', () => {
  const text =
    '# Hello\n\nSee **[our page](https://a.example/x)**:\n\n1. *one*\n2. `two`\n\n> q\n\n|a|b|\n|-|-|\n|1|2|\n---\nBye';

  it('has no marks', () => {
    expect(long(text)).toBe(
      'Hello\nSee our page (https://a.example/x):\n1. one\n2. two\n> q\na | b\n1 | 2\n---\nBye',
    );
    expect(short('See **[our page](https://a.example/x)**')).toBe('See our page');
    expect(short('- a\n  - b\n- c')).toBe('• a\n  • b\n• c');
  });

  it('has whole addresses for a file, and shortened ones in a preview', () => {
    const address = `https://a.example/${'b/'.repeat(40)}c`;
    expect(long(address)).toBe(address);
    expect(short(address)).toMatch(/^https:\/\/a\.example\/.{23}…$/);
  });

  it('leaves what is quoted out of a preview only', () => {
    const mail = 'Thanks!\n\nOn 24.02.2021 14:02, Ada <ada@a.example> wrote:\n> Hello';
    expect(short(mail)).toBe('Thanks!');
    expect(long(mail)).toBe(mail.replace('\n\n', '\n'));
  });
});
