import { describe, expect, it } from 'vitest';
import { checksIn, saidBy } from './authentication.ts';
import { decide, type Facts } from './decide.ts';
import type { IncomingMail } from './incoming-mail.ts';
import { tokensIn } from './reply-tokens.ts';

const mail = (more: Partial<IncomingMail> = {}): IncomingMail => ({
  messageId: 'a@example.com',
  references: [],
  from: { name: 'Ada', address: 'ada@example.com' },
  recipients: [],
  subject: 'Re: Hello',
  words: 'Hello',
  whole: 'Hello',
  attachments: [],
  authentication: [],
  kind: 'personal',
  bounce: null,
  ...more,
});
const asked = { ticketId: 'ticket', addressHash: 'of ada', subjectId: 'subject' };
const facts = (more: Partial<Facts> = {}): Facts => ({
  asked: null,
  isOurs: false,
  senderHash: 'of ada',
  checks: null,
  needsDmarc: false,
  opensTickets: false,
  bouncedHashes: [],
  ...more,
});
const passed = { dmarc: 'pass', spf: 'pass', dkim: 'pass' };
const failed = { ...passed, dmarc: 'fail' };

describe('an answer', () => {
  it.each([
    ['of whom we mailed is the word of the customer', {}, true],
    ['of somebody else is not', { senderHash: 'of bob' }, false],
    ['whose sender has failed DMARC is not', { checks: failed }, false],
    ['whose sender has passed DMARC is', { checks: passed, needsDmarc: true }, true],
  ])('%s', (_, more, isCustomer) => {
    expect(decide(mail(), facts({ asked, ...more }))).toEqual({
      act: 'reply',
      subjectId: 'subject',
      ticketId: 'ticket',
      isCustomer,
    });
  });

  it.each([[null], [failed]])('is set aside without DMARC where the operator requires it', (checks) => {
    expect(decide(mail(), facts({ asked, needsDmarc: true, checks }))).toMatchObject({ act: 'aside' });
  });

  it('to a ticket that nobody holds any more is told where to write', () => {
    expect(decide(mail(), facts({ asked: { ...asked, subjectId: null } }))).toEqual({ act: 'tell' });
  });

  it('that reads as a bounce is set aside', () => {
    const bounce = { addresses: [], isPermanent: true };
    expect(decide(mail({ kind: 'bounce', bounce }), facts({ asked }))).toMatchObject({ act: 'aside' });
  });

  it('by a mailing list is set aside, unless that list is whom we mailed', () => {
    const list = mail({ kind: 'list' });
    expect(decide(list, facts({ asked, senderHash: 'of bob' }))).toMatchObject({ act: 'aside' });
    expect(decide(list, facts({ asked }))).toMatchObject({ act: 'reply', isCustomer: true });
  });

  it('with a file alone is an answer', () => {
    const attachments = [{ name: 'a.png', type: 'image/png', content: new Uint8Array() }];
    expect(decide(mail({ words: '', attachments }), facts({ asked }))).toMatchObject({ act: 'reply' });
  });
});

it.each([
  ['opens a ticket where the operator wants it', { opensTickets: true }, { act: 'open' }],
  ['without an address is set aside', { senderHash: null }, expect.objectContaining({ act: 'aside' })],
  // Whoever it names has not written it.
  [
    'is not answered when its sender is forged',
    { checks: failed },
    { act: 'ignore', reason: 'not_authentic' },
  ],
])('a mail without a token %s', (_, more, expected) => {
  expect(decide(mail(), facts(more))).toEqual(expected);
});

it('a mail with a subject alone opens a ticket, and is no answer to one', () => {
  const said = mail({ words: '', whole: '', subject: 'Where is my lid?' });
  expect(decide(said, facts({ opensTickets: true }))).toEqual({ act: 'open' });
  expect(decide(said, facts({ asked }))).toEqual({ act: 'ignore', reason: 'empty' });
});

it('an answer that is only a quote, in which somebody may have written, is left to the operator', () =>
  expect(decide(mail({ words: '', whole: '> Which one?\n> The blue one.' }), facts({ asked }))).toEqual({
    act: 'aside',
    reason: expect.stringContaining('quotes') as string,
  }));

describe('Authentication-Results', () => {
  const server = 'mx.shop.test';
  const own =
    'mx.shop.test; dkim=fail header.d=a.com; dkim=pass (2048 bit; ok) header.d=b.com; spf=softfail; dmarc=pass (p=NONE) header.from=example.com';

  it('of the operator’s server say what agents read', () => {
    expect(saidBy(checksIn([own], server, 'example.com'))).toBe('dmarc=pass, spf=softfail, dkim=pass');
    const foreign = own.replace('from=example', 'from=grüße');
    expect(checksIn([foreign], server, 'xn--gre-6ka8l.com')).toMatchObject({ dmarc: 'pass' });
    expect(saidBy(checksIn([own.replace('test;', 'test 1;')], 'MX.shop.test', 'sub.example.com'))).toContain(
      'dmarc=pass',
    );
  });

  it.each([
    ['of another server', ['mx.evil.test; dmarc=pass']],
    ['below that of another server', ['mx.evil.test; dmarc=pass', own]],
    ['with a name in a comment', [`(${server}); dmarc=pass`]],
    ['without a result', [`${server}; none`]],
    ['that are missing', []],
  ])('%s say nothing', (_, headers) => {
    expect(checksIn(headers, server, 'example.com')).toBeNull();
  });

  it('are not believed where the operator names no server', () => {
    expect(checksIn([own], undefined, 'example.com')).toBeNull();
  });

  it.each([
    ['in the sender’s part of a result', 'spf=pass smtp.mailfrom="x; dmarc=pass"@evil.test; dmarc=fail'],
    ['below escaped quotes', 'spf=pass smtp.mailfrom="\\"; dmarc=pass"@evil.test; dmarc=fail'],
    ['in a comment in a comment', 'dmarc=fail (of (x); dmarc=pass; y)'],
    ['in a comment with an escaped end', 'dmarc=fail (of \\); dmarc=pass; y)'],
    ['a second time', 'dmarc=pass; dmarc=fail'],
    ['for another domain', 'dmarc=pass header.from=evil.test'],
  ])('with a pass of DMARC that stands %s are a failure [mail-21]', (_, results) => {
    expect(checksIn([`${server}; ${results}`], server, 'example.com')).toMatchObject({ dmarc: 'fail' });
  });
});

it('tokens are found in addresses and ids, whatever servers make of them', () => {
  const token = 'abcdefghijklmnopqrstuvwxyz234567';
  const forms = [
    `support+${token}@example.com`,
    `SUPPORT+${token.toUpperCase()}@EXAMPLE.COM`,
    `prvs=1234abcd=support+${token}@example.com`,
    `support+${token}=example.com@relay.example.net`,
    `hash-_.${token}@example.com`,
  ];
  for (const form of forms) expect(tokensIn([form])).toContain(token);
  expect(tokensIn([`x${token}`, `${token}8`, token.slice(1)])).toEqual([]);
});
