/*
 * Texts that cost far more than others of their length: what people have reported of other programs, and what was found in
 * ours. It knows nothing of who reads them.
 */

const fill = (piece: string, length: number) =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

/** By what they are made of. */
const pieces = {
  'plain words': 'plain words and more of them ',
  'combining marks': '\u0301\u0316',
  'marks on letters': 'Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d',
  emoji: '👩🏽‍🚀',
  'lines of one letter': 'd\n',
  'look-alikes of our lines': 'Dеѕкѕіdе：\n',
  'marks of direction': '\u202e\u2066',
  quotes: '> ',
  'quotes within quotes': '>> > ',
  links: 'https://a.example/(x_',
  'addresses of mail': 'a@b.example ',
  'marks of emphasis': '*a_ ',
  'code fences': '```',
  brackets: '[a](',
  'items of lists': '- 1. ',
  'rows of tables': '|-|-\n',
  words: 'ab ',
  // Reported of other programs.
  'bold letters': '**a**',
  'a link and a quote': 'https://www.example.com/path/d_1_d_2" ',
  'letters with many marks': 'ฏ๎๎๎๎๎๎๎๎',
};

/** Texts of as many UTF-16 units as a customer may send. */
export const texts = (length: number): [what: string, text: string][] =>
  Object.entries(pieces).map(([what, piece]) => [what, fill(piece, length)]);

const article = (text: string) => `# An article\n\n${text}`;

/** By the name of the file: some of 16 kB, and two as large as they may be. */
export const articles = {
  'emphasis-a.md': article(fill('_a*', 16_000)),
  'emphasis-b.md': article(fill('*a_ ', 16_000)),
  'lists.md': article(fill('1. ', 16_000)),
  'quotes.md': article(fill('> ', 16_000)),
  'usual.md': article(fill('A *few* words with a [link](https://a.example).\n\n', 99_000)),
  'one-paragraph.md': article(fill('a word ', 99_000)),
};

const time = '2026-01-01T12:00:00.000Z';
const message = (nth: number, body: string) => ({
  id: `m${nth}`,
  author_type: nth % 2 ? 'agent' : 'customer',
  body,
  created_at: time,
});
const times = <T>(count: number, make: (nth: number) => T) =>
  Array.from({ length: count }, (_, nth) => make(nth));
/** Below the 4 MB that the BFF reads. */
const most = 4_150_000;
const marks = '\u0301\u0316';

/** Fields of a ticket as its service answers it, as JSON, without braces. */
export const answers: Record<string, () => string> = {
  'one message of a million marks': () => `"messages":${JSON.stringify([message(0, fill(marks, most / 2))])}`,
  'messages of 20,000 marks': () =>
    `"messages":${JSON.stringify(times(103, (nth) => message(nth, fill(marks, 20_000))))}`,
  'messages of 20,000 short lines': () =>
    `"messages":${JSON.stringify(times(130, (nth) => message(nth, fill('d\n', 20_000))))}`,
  '15,000 messages': () =>
    `"messages":${JSON.stringify(times(15_000, (nth) => message(nth, `message ${nth} with some words`)))}`,
  'lists within lists': () => `"more":${'['.repeat(most / 2)}${']'.repeat(most / 2)}`,
  'objects within objects': () => `"more":${'{"a":'.repeat(most / 6)}1${'}'.repeat(most / 6)}`,
  'a million numbers': () => `"more":[${fill('1,', most)}1]`,
  'a million names': () => `"more":{${times(300_000, (nth) => `"n${nth}":1`).join()}}`,
  'a description of a million marks': () => `"description":"${fill(marks, most / 2)}"`,
};

const mail = (head: readonly string[], body: string) =>
  [
    'From: Ada <ada@example.com>',
    'To: support@shop.test',
    'Subject: A question',
    `Message-ID: <${crypto.randomUUID()}@example.com>`,
    'MIME-Version: 1.0',
    ...head,
    '',
    body,
    '',
  ].join('\r\n');
const plain = (text: string) => mail(['Content-Type: text/plain; charset=utf-8'], text);
const html = (text: string) => mail(['Content-Type: text/html; charset=utf-8'], text);

/** Mails as they come over the wire. */
export const mails: Record<string, () => string> = {
  'a text of 490 kB of quotes': () => plain(fill('> a\r\n', 490_000)),
  'a text of 240,000 marks': () => plain(fill(marks, 240_000)),
  'a text of short lines': () => plain(fill('a:\r\n', 490_000)),
  'a text of introductions': () => plain(fill('On 1 1 2026, Ada <a@b.c> wrote:\r\n', 490_000)),
  'HTML within HTML': () => html(fill(`${'<div>'.repeat(40)}a${'</div>'.repeat(40)}`, 490_000)),
  'HTML of tables': () => html(fill('<table><tr><td>a</td></tr></table>', 490_000)),
  'HTML of unclosed tags': () => html(fill('<b><i><a href="https://a.example">a ', 490_000)),
  'a file of 10 MB': () =>
    mail(
      ['Content-Type: application/octet-stream; name=a.bin', 'Content-Transfer-Encoding: base64'],
      fill(`${'QUJD'.repeat(19)}\r\n`, 13_000_000),
    ),
  'a thousand parts': () =>
    mail(['Content-Type: multipart/mixed; boundary=b'], `${fill('--b\r\n\r\na\r\n', 9_900)}--b--`),
  'quoted-printable': () =>
    mail(
      ['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: quoted-printable'],
      fill(`${'=CC=81'.repeat(12)}=\r\n`, 2_000_000),
    ),
};
