import { describe, expect, it } from 'vitest';
import { addressIn, digitsOf, meantDomain, plainly } from './typed.ts';

describe('a code', () => {
  it.each([
    ' 123456\n',
    '123 456',
    '123\u00a0456',
    '123-456',
    '123\u2011456',
    '123–456',
    '123.456',
    '123\r\n456',
    '1 2 3 4 5 6',
    '\u200b123456\ufeff',
    '\u202a123456\u202c',
    '\u2068123\u200d456\u2069',
    'Code: 123456',
    '１２３４５６',
    '１２３－４５６',
  ])('pasted as %j is read', (text) => expect(digitsOf(text)).toBe('123456'));

  // Of CJK numerals and of the few with letters, Unicode has no digits.
  const others = new Set(['hanidec', 'roman']);
  it.each(Intl.supportedValuesOf('numberingSystem').filter((name) => !others.has(name)))(
    'in the digits of “%s” is read',
    (name) => {
      const { format } = new Intl.NumberFormat(`en-u-nu-${name}`, { useGrouping: false });
      expect(digitsOf(format(1_234_567_890))).toBe('1234567890');
    },
  );

  it('without digits is empty', () => expect(digitsOf('½ ² Ⅳ 一 code')).toBe(''));
});

it('a text is read plainly: without unseen marks, with letters, signs and digits of ASCII', () => {
  expect(plainly('\u200f ＡＢ－１２٣۴\u00ad५ \u200e')).toBe('AB-12345');
});

describe('an address', () => {
  it.each([
    'ada@example.com',
    '\u200bada@example.com\u200b',
    '\ufeffada@example.com',
    '\u200fada@example.com\u200e',
    '\u202aada@example.com\u202c',
    '\u2066ada\u2060@exa\u00admple.com\u2069',
    '\u00a0ada@example.com\u3000',
    'ada\u00a0@example.com',
    'ada@ example.com\n',
    'mailto:ada@example.com',
    'MAILTO:ada@example.com?subject=Hi',
    '<ada@example.com>',
    'Ada Lovelace <ada@example.com>',
    '"Lovelace, Ada" <mailto:ada@example.com>;',
    '[ada@example.com]',
    "'ada@example.com'",
    '“ada@example.com”',
    'ada@example.com.',
    'ada@example.com, ',
    'ada＠example.com',
    'ａｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ',
    'ada@example。com',
  ])('pasted as %j is found', (text) => expect(addressIn(text)).toBe('ada@example.com'));

  it.each([
    ['ada１２@example.com', 'ada12@example.com'],
    ['ada۱٢३@example.com', 'ada123@example.com'],
    // Mailboxes and domains can be named in other scripts.
    ['आदा१@उदाहरण.भारत', 'आदा१@उदाहरण.भारत'],
    ['ada@१२३.example', 'ada@१२३.example'],
    ["o'neil+a@example.com", "o'neil+a@example.com"],
    // Not one address: the customer decides.
    ['write to ada@example.com', 'write to ada@example.com'],
    ['ada@example.com, bob@example.com', 'ada@example.com, bob@example.com'],
    ['', ''],
    ['@', '@'],
  ])('%j is read as %j', (text, address) => expect(addressIn(text)).toBe(address));

  it('is looked for in a text of the longest body without delay', () => {
    const startedAt = performance.now();
    for (const part of ['@', ' ', '<', '.', '\u200b', 'mailto:', '٣']) addressIn(part.repeat(128 * 1024));
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });
});

describe('the domain that was meant', () => {
  it.each([
    ['gmial.com', 'gmail.com'],
    ['gamil.com', 'gmail.com'],
    ['gmai.com', 'gmail.com'],
    ['gmil.com', 'gmail.com'],
    ['gnail.com', 'gmail.com'],
    ['gmaill.com', 'gmail.com'],
    ['gmail.co', 'gmail.com'],
    ['gmail.con', 'gmail.com'],
    ['gmail,com', 'gmail.com'],
    ['gmailcom', 'gmail.com'],
    ['gmail', 'gmail.com'],
    ['GMIAL.COM', 'gmail.com'],
    ['yahooo.com', 'yahoo.com'],
    ['hotmial.com', 'hotmail.com'],
    ['outlok.com', 'outlook.com'],
    ['iclould.com', 'icloud.com'],
    ['example.con', 'example.com'],
  ])('by %s is %s', (domain, meant) => expect(meantDomain(`ada@${domain}`)).toBe(meant));

  it.each(
    // Names that hints of others have taken for misspelt ones, and names of real mailboxes close to the great ones.
    (
      'mailw.com mail.com email.com ymail.com rocketmail.com pm.me me.com mask.io gmail.fr gmail.hu gmx.de gmx.at ' +
      'comcast.com yahoo.co.uk yahoo.fr hotmail.fr outlook.de live.com qq.com 126.com example.co gmail.com icon'
    ).split(' '),
  )('is left alone for %s', (domain) => expect(meantDomain(`ada@${domain}`)).toBeNull());

  it('is left alone in a text without a sign of an address', () => {
    for (const text of ['', 'gmial.com', 'ada']) expect(meantDomain(text)).toBeNull();
  });
});
