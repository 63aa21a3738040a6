import { describe, expect, it } from 'vitest';
import { UnreadableMail } from './incoming-mail.ts';
import { readMail } from './read-mail.ts';

/** A mail of headers, one a line, and a body. */
const mail = (headers: string[], body = 'Hello') =>
  Buffer.from(['From: Eva <eva@a.example>', 'To: support@acme.example', ...headers, '', body].join('\r\n'));
const plain = (body: string, parameters = '') =>
  mail([`Content-Type: text/plain; charset=utf-8${parameters}`], body);
const html = (body: string) => mail(['Content-Type: text/html; charset=utf-8'], body);
const wordsOf = async (raw: Buffer) => (await readMail(raw)).words;

/** A mail of several parts, each with its headers and its content. */
const mixed = (type: string, ...parts: [headers: string[], content: string][]) =>
  mail(
    [`Content-Type: multipart/${type}; boundary=part`],
    [...parts.flatMap(([headers, content]) => ['--part', ...headers, '', content]), '--part--', ''].join(
      '\r\n',
    ),
  );

describe('readMail', () => {
  it('reads who wrote, to which addresses, and in which thread', async () => {
    const raw = mail([
      'Delivered-To: support+TOKEN@acme.example',
      'Cc: Ben <ben@b.example>',
      'Subject: =?utf-8?Q?Re=3A_Gr=C3=BC=C3=9Fe?=',
      'Message-ID: <3@a.example>',
      'In-Reply-To: <2@acme.example>',
      'References: <1@acme.example> <2@acme.example>',
      'Authentication-Results: mx.acme.example; dmarc=pass',
      'Authentication-Results: other; dmarc=fail',
    ]);
    expect(await readMail(raw)).toMatchObject({
      from: { name: 'Eva', address: 'eva@a.example' },
      recipients: ['support+TOKEN@acme.example', 'support@acme.example', 'ben@b.example'],
      subject: 'Re: Grüße',
      messageId: '3@a.example',
      references: ['2@acme.example', '1@acme.example'],
      authentication: ['mx.acme.example; dmarc=pass', 'other; dmarc=fail'],
      words: 'Hello',
      kind: 'personal',
      bounce: null,
    });
  });

  it('joins lines of flowed text, never those of the answer with those of the quote', async () =>
    expect(
      await readMail(
        plain('On 3 Jun 2024, A wrote:\r\n> is it \r\n> blue \r\nYes it \r\nis.', '; format=flowed'),
      ),
    ).toMatchObject({
      words: 'Yes it is.',
      whole: 'On 3 Jun 2024, A wrote:\n> is it blue \nYes it is.',
    }));

  it.each([
    ['iso-2022-jp', '\u001B$B$O$$\u001B(B', 'はい'],
    ['windows-1251', '\xC4\xE0', 'Да'],
    ['iso-8859-1', 'Gr\xFC\xDFe', 'Grüße'],
  ])('reads text in %s', async (charset, bytes, words) => {
    const head = `From: a@b.example\r\nContent-Type: text/plain; charset=${charset}\r\n\r\n`;
    expect(await wordsOf(Buffer.from(head + bytes, 'latin1'))).toBe(words);
  });

  it.each([
    ['of Windows without its name', '', 'latin1', 'Grüße'],
    ['of UTF-8 without its name', '', 'utf8', 'Grüße 你好'],
    ['of UTF-8 under the name of ASCII', '; charset=us-ascii', 'utf8', 'Grüße 你好'],
  ] as const)('reads letters %s, in the text and the subject', async (_, charset, encoding, text) => {
    const raw = `From: a@b.example\r\nSubject: ${text}\r\nContent-Type: text/plain${charset}\r\n\r\n${text}`;
    expect(await readMail(Buffer.from(raw, encoding))).toMatchObject({ subject: text, words: text });
  });

  it('prefers HTML, which tells what was quoted', async () =>
    expect(
      await wordsOf(
        mixed(
          'alternative',
          [['Content-Type: text/plain'], 'Yes. Is it blue?'],
          [['Content-Type: text/html'], '<p>Yes.</p><div id="appendonsend"></div><div>Is it blue?</div>'],
        ),
      ),
    ).toBe('Yes.'));

  it('does not take a part of a signature or of a quote for a file', async () => {
    const picture = (id: string): [string[], string] => [
      ['Content-Type: image/png; name=a.png', `Content-ID: <${id}>`, 'Content-Transfer-Encoding: base64'],
      'AAAA',
    ];
    const { words, attachments } = await readMail(
      mixed(
        'related',
        [
          ['Content-Type: text/html'],
          'See <img src="cid:one"><div class="gmail_quote"><blockquote>Hello<img src="cid:two"></blockquote></div>',
        ],
        picture('one'),
        picture('two'),
      ),
    );
    expect([words, attachments]).toEqual([
      'See [a.png]',
      [{ name: 'a.png', type: 'image/png', content: new Uint8Array(3) }],
    ]);
  });

  it('has attachments with their names, and a name for those without', async () => {
    const { attachments } = await readMail(
      mixed(
        'mixed',
        [['Content-Type: text/plain'], 'Here'],
        [
          ["Content-Type: application/pdf; name*=utf-8''Gr%C3%BC.pdf", 'Content-Disposition: attachment'],
          'x',
        ],
        [['Content-Type: message/rfc822'], 'Subject: a\r\n\r\nb'],
        [['Content-Type: application/ms-tnef; name=winmail.dat', 'Content-Disposition: attachment'], 'x'],
        [['Content-Type: application/pgp-signature; name=a.asc'], 'x'],
        // Of Gmail, beside the text "👍 Eva reacted via Gmail".
        [['Content-Type: text/vnd.google.email-reaction+json'], '{"emoji":"👍","version":1}'],
      ),
    );
    expect(attachments.map(({ name }) => name)).toEqual([
      'Grü.pdf',
      'message-2.eml',
      expect.stringMatching(/^winmail\.dat \(.*Outlook/),
    ]);
  });
});

describe('the words of HTML', () => {
  it.each([
    [
      'Gmail',
      'Yes.<div class="gmail_quote"><div class="gmail_attr">Mo Di Mi:<br></div><blockquote>Blue?</blockquote></div>',
    ],
    ['Outlook on the web', '<div>Yes.</div><hr><div id="divRplyFwdMsg">Od: Acme</div><div>Blue?</div>'],
    [
      'Outlook',
      '<p class=MsoNormal>Yes.</p><div style="border:none;border-top:solid #E1E1E1 1.0pt"><p>X:</p></div><p>Blue?</p>',
    ],
    ['Yahoo', '<div>Yes.</div><div id="ydp1yahoo_quoted_1" class="ydp1yahoo_quoted"><div>Blue?</div></div>'],
    ['Apple Mail', 'Yes.<br><blockquote type="cite"><div>On 3 Jun, A wrote:</div>Blue?</blockquote>'],
    [
      'Thunderbird',
      'Yes.<div class="moz-cite-prefix">Kirjoitti A:</div><blockquote type="cite">Blue?</blockquote>',
    ],
    ['GMX', '<div>Yes.</div><div name="quote" style="margin:10px"><div>Blue?</div></div>'],
    ['Proton', '<div>Yes.</div><div class="protonmail_quote">Blue?</div>'],
    [
      'a program that keeps the marks of our mails',
      '<div>Yes.</div><div class="m_1deskside-mail">Blue?</div>',
    ],
  ])('are what %s writes above its quote', async (_, body) => expect(await wordsOf(html(body))).toBe('Yes.'));

  it('have lists, links and cells that read well, and no pictures of elsewhere', async () =>
    expect(
      await wordsOf(
        html(
          '<h1>Order</h1><ul><li>one<li>two</ul><ol><li>first</ol><table><tr><td>Blue</td><td>3</td></tr></table>' +
            '<p><a href="https://a.example/x">here</a> <a href="https://a.example">https://a.example</a>' +
            ' <a href="mailto:e@a.example">e@a.example</a><img src="https://t.example/p.gif"></p>',
        ),
      ),
    ).toBe(
      'Order\n- one\n- two\n\n 1. first\n\nBlue 3\n\nhere (https://a.example/x) https://a.example e@a.example',
    ));

  it('have no sentence that is hidden, no style and no title', async () =>
    expect(
      await wordsOf(
        html(
          '<title>T</title><style>p{}</style><div style="display:none">Preview</div><p>Yes.</p><span hidden>no</span>',
        ),
      ),
    ).toBe('Yes.'));

  it('have no signature of Gmail, but what was written inside it if there is nothing else', async () => {
    const signature = '<div class="gmail_signature">Eva Blue</div>';
    expect([await wordsOf(html(`<p>Yes.</p>${signature}`)), await wordsOf(html(signature))]).toEqual([
      'Yes.',
      'Eva Blue',
    ]);
  });

  it('keep answers between quotes', async () =>
    expect(
      await wordsOf(
        html(
          '<div class="gmail_quote"><div class="gmail_attr">A, 3.6.2024:</div><blockquote>Colour?</blockquote>' +
            '<div>Blue.</div><blockquote>Size?</blockquote><div>Large.</div></div>',
        ),
      ),
    ).toBe('> Colour?\n\nBlue.\n\n> Size?\n\nLarge.'));
});

describe('the kind of a mail', () => {
  it.each([
    ['an answer', [], 'personal'],
    ['Auto-Submitted: no', ['Auto-Submitted: no'], 'personal'],
    ['Auto-Submitted', ['Auto-Submitted: auto-replied (vacation)'], 'automatic'],
    ['an empty Return-Path', ['Return-Path: <>'], 'automatic'],
    ['X-Autoreply', ['X-Autoreply: yes'], 'automatic'],
    ['X-Autoresponder', ['X-Autoresponder: Will not send another autoreply'], 'automatic'],
    ['Precedence: auto_reply', ['Precedence: auto_reply'], 'automatic'],
    ['X-Auto-Response-Suppress alone, which gateways add', ['X-Auto-Response-Suppress: All'], 'personal'],
    ['the subject of an automatic answer alone', ['Subject: Automatic reply: how do I set one?'], 'personal'],
    ['both of them', ['Subject: Automatische Antwort: Blau', 'X-Auto-Response-Suppress: All'], 'automatic'],
    ['such a subject and its topic', ['Subject: Automatic reply: Blue', 'Thread-Topic: Blue'], 'automatic'],
    [
      'a receipt',
      ['Content-Type: multipart/report; report-type=disposition-notification; boundary=x'],
      'automatic',
    ],
    ['List-Unsubscribe alone, which offices add', ['List-Unsubscribe: <https://a.example>'], 'personal'],
    ['List-Id', ['List-Id: <all.a.example>'], 'list'],
    ['Precedence: bulk', ['Precedence: bulk'], 'list'],
  ])('is told by %s', async (_, headers, kind) => expect((await readMail(mail(headers))).kind).toBe(kind));
});

describe('a bounce', () => {
  const report = (...fields: string[]) =>
    mixed(
      'report; report-type=delivery-status',
      [['Content-Type: text/plain'], 'It could not be delivered.'],
      [
        ['Content-Type: message/delivery-status'],
        ['Reporting-MTA: dns; a.example', '', ...fields].join('\r\n'),
      ],
    );

  it.each([
    ['failed for good', '5.1.1', true],
    ['failed for now', '4.2.2', false],
    ['refused the mail as spam', '5.7.1', false],
  ])('names the address that %s, in the standard form', async (_, status, isPermanent) =>
    expect(
      await readMail(report('Final-Recipient: rfc822; Ben@b.example', 'Action: failed', `Status: ${status}`)),
    ).toMatchObject({ kind: 'bounce', bounce: { addresses: ['ben@b.example'], isPermanent } }),
  );

  it('is no receipt of a delivery', async () =>
    expect(
      (await readMail(report('Final-Recipient: rfc822; ben@b.example', 'Action: delivered', 'Status: 2.0.0')))
        .kind,
    ).toBe('automatic'));

  it('does not harm the address while the server still tries', async () =>
    expect(
      (await readMail(report('Final-Recipient: rfc822; ben@b.example', 'Action: delayed', 'Status: 4.4.1')))
        .bounce,
    ).toEqual({ addresses: ['ben@b.example'], isPermanent: false }));

  const bounce = (headers: string[], body: string) =>
    readMail(
      Buffer.from(
        ['From: MAILER-DAEMON@a.example', 'To: me@acme.example', ...headers, '', body].join('\r\n'),
      ),
    );

  it.each([
    ['by a header', ['X-Failed-Recipients: ben@b.example'], '550 5.1.1 gone'],
    [
      'in its words',
      ['Subject: failure notice'],
      'Hi. This is the program.\r\n<ben@b.example>:\r\n550 no such user',
    ],
    [
      'in a field',
      ['Subject: Undeliverable'],
      'From me@acme.example\r\nRCPT TO: ben@b.example\r\nUser unknown',
    ],
    [
      'in the mail that it returns',
      ['Subject: Undeliverable'],
      'User unknown\r\n--- Original message ---\r\nTo: ben@b.example',
    ],
  ])('names the address %s', async (_, headers, body) =>
    expect((await bounce(headers, body)).bounce).toEqual({ addresses: ['ben@b.example'], isPermanent: true }),
  );

  it('is not what a person writes about one', async () =>
    expect(
      (await readMail(mail(['Subject: Undeliverable mail?'], 'I got "550 user unknown" for ben@b.example')))
        .kind,
    ).toBe('personal'));
});

describe('a hostile mail', () => {
  it.each(['From: eve@evil.example\r\nFrom: ada@example.com', 'From: eve@evil.example, ada@example.com'])(
    'that says it is from two has no sender: %j [mail-22]',
    async (from) => {
      expect(await readMail(Buffer.from(`${from}\r\n\r\nHello`))).toMatchObject({ from: null });
    },
  );

  it.each(['<x><!--</x>-->', '<x a="</x>">', "<x a='</x>'>"])(
    'whose HTML hides how deep it is, with %j, is not parsed [mail-23]',
    async (element) => {
      await expect(readMail(html(`${element}\r\n`.repeat(31_000)))).rejects.toThrow('too deep');
    },
  );

  const nested = (depth: number) =>
    Array.from(
      { length: depth },
      (_, index) => `--b${index}\r\nContent-Type: multipart/mixed; boundary=b${index + 1}\r\n\r\n`,
    );

  it.each([
    ['has too many lines', () => plain('\n'.repeat(225_001)), 'lines'],
    ['has too many parts', () => plain('--x\n'.repeat(1_002)), 'parts'],
    ['has too long headers', () => mail([`X-A: ${'a'.repeat(300_000)}`]), 'header size'],
    [
      'is nested too deep',
      () => mail(['Content-Type: multipart/mixed; boundary=b0'], nested(60).join('')),
      'depth',
    ],
    ['has too long HTML', () => html('<p>x</p>'.repeat(40_000)), 'HTML'],
    ['has too deep HTML', () => html('<div>'.repeat(9_000)), 'HTML'],
    ['has too long text', () => plain('a'.repeat(500_001)), 'text'],
  ])('that %s is refused with its reason', async (_, make, reason) => {
    const read = readMail(make());
    await expect(read).rejects.toThrow(UnreadableMail);
    await expect(read).rejects.toThrow(reason);
  });

  it.each([
    ['of 990 texts', Array.from({ length: 989 }, () => 'Yes.'), 890],
    ['with a text of more than two megabytes', ['Yes. '.repeat(400_000)], 1],
  ])('%s has what is too much as files', async (_, texts, files) => {
    const parts = texts.map((text): [string[], string] => [['Content-Type: text/html'], text]);
    const mailed = await readMail(mixed('mixed', [['Content-Type: text/plain'], 'No.'], ...parts));
    expect(mailed.words).toMatch(/^No\./);
    expect(mailed.attachments).toHaveLength(files);
  });

  it('with too deep HTML is read by its plain text', async () =>
    expect(
      await wordsOf(
        mixed(
          'alternative',
          [['Content-Type: text/plain'], 'Yes.'],
          [['Content-Type: text/html'], '<div>'.repeat(9_000)],
        ),
      ),
    ).toBe('Yes.'));

  it('cannot write the marks by which its HTML is read', async () =>
    expect(await wordsOf(plain('One\n\uFDD1\nTwo'))).toBe('One\n\nTwo'));

  it.each([
    ['without headers', '\r\n\r\nHi'],
    ['without anything', ''],
    ['of random bytes', String.fromCharCode(...Array.from({ length: 255 }, (_, code) => code))],
    ['of an unknown charset', 'Content-Type: text/plain; charset=none\r\n\r\nHi'],
    ['whose parts have no end', 'Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\nHi'],
    ['whose address is none', 'From: "<>,;@\r\nTo: ,,,\r\n\r\nHi'],
  ])('%s is read or refused with a reason', async (_, raw) => {
    const result = await readMail(Buffer.from(raw, 'latin1')).catch((error: unknown) => error);
    expect(result instanceof UnreadableMail || (result as { kind: string }).kind === 'personal').toBe(true);
  });
});
