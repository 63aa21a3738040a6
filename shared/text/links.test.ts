import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { splitLinks } from './links.ts';

const hrefs = (text: string) => splitLinks(text).flatMap(({ href }) => href ?? []);

describe('links', () => {
  it('do not include the punctuation after them', () => {
    expect(
      hrefs('See https://a.example/x, (http://b.example/y) or https://c.example/?q=1. mailto:a@b.example!'),
    ).toEqual(['https://a.example/x', 'http://b.example/y', 'https://c.example/?q=1', 'mailto:a@b.example']);
  });

  it('keep an underscore at their end, unless it closes an emphasis', () => {
    expect(hrefs('https://a.example/@me_ and https://a.example/b_.')).toEqual([
      'https://a.example/@me_',
      'https://a.example/b_',
    ]);
    for (const text of ['_https://a.example/x_', '**_see https://a.example/x_**', '_https://a.example/x**_'])
      expect(hrefs(text)).toEqual(['https://a.example/x']);
  });

  it('are made of e-mail addresses, without the full stop after them', () => {
    expect(hrefs('Write to help@shop.example, or a.b+c@d-e.example.')).toEqual([
      'mailto:help@shop.example',
      'mailto:a.b+c@d-e.example',
    ]);
    expect(hrefs('@ada, a@b and help@shop.example@evil.example')).toEqual([]);
  });

  it('are made of telephone numbers with the code of their country', () => {
    expect(hrefs('Call +49 (0)30 1234-567 or +1 (555) 010.0199.')).toEqual([
      'tel:+49301234567',
      'tel:+15550100199',
    ]);
    expect(hrefs('Order 4711000815, 2+2000000, +12 and 030 1234567')).toEqual([]);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://a.example',
    'xhttps://a.example',
    'https://',
    'www.a',
  ])('are not made of %s', (text) => {
    expect(hrefs(text)).toEqual([]);
  });

  it.each([
    'https://bank.example@evil.example/',
    'https://bank.example:443@evil.example/',
    'https://b\u0430nk.example/',
    'https://bank.example\u2044evil.example/',
    'https://\u202emoc.knab.example/',
    'https://bank.example/\u202eevil',
    'https:\\\\bank.example',
    'https://bank.example:99999/',
  ])('are not made of %s, which can look like another site [browser-9]', (text) => {
    expect(hrefs(text)).toEqual([]);
  });

  it('can have a path in any script', () => {
    expect(hrefs('https://a.example/größe?q=茶')).toEqual(['https://a.example/größe?q=茶']);
    expect(hrefs('https://a.example/ka\u200c/x')).toEqual(['https://a.example/ka\u200c/x']);
  });

  it.each([
    ['https://en.wikipedia.org/wiki/Solid_(web_decentralization_project)', null],
    ['(https://a.example/x_(y))', 'https://a.example/x_(y)'],
    ['“https://a.example”, «http://a.example»', 'https://a.example'],
    ['请看https://a.example/x。谢谢', 'https://a.example/x'],
    ['访问 https://a.example/docs（中文说明）了解更多', 'https://a.example/docs'],
    ['https://a.example를 보세요', 'https://a.example'],
    ['انظر https://a.example/x، شكرا', 'https://a.example/x'],
    ['देखें https://a.example/x। धन्यवाद', 'https://a.example/x'],
    ['**https://a.example/x** or _https://b.example_', 'https://a.example/x'],
    ['https://a.example/x\u200b', 'https://a.example/x'],
    ['See www.a.example/x.', 'https://www.a.example/x'],
  ])('end where their sentence goes on: %s', (text, first) => {
    expect(hrefs(text)[0]).toBe(first ?? text);
  });

  it('are those of the collection of linkify-it', () => {
    const collection = readFileSync(new URL('./testdata/linkify-it.txt', import.meta.url), 'utf8');
    const entries = collection
      .replaceAll(/^%.*\n/gm, '')
      .trim()
      .split('\n\n')
      .map((entry) => entry.split('\n'));
    const bare = (address = '-') => address.replace(/^mailto:/i, '');
    expect(entries.map(([text]) => [text, bare(hrefs(text!)[0])])).toEqual(
      entries.map(([text, address]) => [text, bare(address)]),
    );
  });

  it('that are long show their host and the start of their path', () => {
    const [, piece] = splitLinks(`See https://a.example/${'b/'.repeat(100)}`);
    expect(piece!.text).toBe(`https://a.example/${'b/'.repeat(11)}b…`);
    expect(piece!.href).toHaveLength(218);
    const host = `https://bank.example.${'a'.repeat(60)}.evil.example`;
    for (const path of ['', '/', '?q', `/${'b'.repeat(50)}`])
      expect(splitLinks(host + path)[1]!.text).toContain(host + path.slice(0, 20));
  });

  it('lose no character of the text', () => {
    const text = 'a https://a.example/x b\n  mailto:c@d.example';
    expect(
      splitLinks(text)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text);
  });
});
