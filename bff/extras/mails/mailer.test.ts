import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Log } from '../../core/log/log.ts';
import { createMailer } from './mailer.ts';

interface Received {
  from: string;
  to: string[];
  raw: string;
}

let closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closers.map((close) => close()));
  closers = [];
});

/** A mail server on loopback. `refuse` gives the answer to a recipient that it does not accept. */
async function mailServer(
  refuse: (to: string) => number | null = () => null,
  refuseData?: number,
  dataWords = 'no ada@example.com here',
) {
  const received: Received[] = [];
  const refused = (code: number, words = 'no such user: ada@example.com') =>
    Object.assign(new Error(words), { responseCode: code });
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, done) {
      const code = refuse(address);
      done(code ? refused(code) : null);
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (refuseData) return done(refused(refuseData, dataWords));
        const from = envelope.mailFrom ? envelope.mailFrom.address : '';
        const to = envelope.rcptTo.map(({ address }) => address);
        received.push({ from, to, raw: Buffer.concat(chunks).toString() });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { received, port: (server.server.address() as AddressInfo).port };
}

/** A port that accepts no mail: nobody listens, connections get no answer, or an answer never ends. */
async function deadPort(kind: 'closed' | 'silent' | 'endless'): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    if (kind === 'silent') return;
    socket.write('220 mail.example\r\n');
    const drip = setInterval(() => socket.write('250-AGAIN\r\n'), 20);
    socket.on('close', () => clearInterval(drip));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    for (const socket of sockets) socket.destroy();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  if (kind === 'closed') await close();
  else closers.push(close);
  return port;
}

function mailerTo(port: number, more: Partial<Parameters<typeof createMailer>[0]> = {}) {
  const report = vi.fn<Log['report']>();
  const mailer = createMailer({
    url: `smtp://127.0.0.1:${port}`,
    from: { name: '', address: 'help@acme.example' },
    brand: 'Acme',
    publicUrl: 'https://support.example.com',
    log: { report },
    ...more,
  });
  return { mailer, report };
}

const header = (raw: string, name: string) =>
  new RegExp(`^${name}: (.*(?:\r\n[ \t].*)*)`, 'im').exec(raw)?.[1];

it('a logo of a data: address is attached, since mail programs show no other', async () => {
  const { received, port } = await mailServer();
  const { mailer } = mailerTo(port, {
    brandLogo: 'data:image/png;base64,iVBORw0KGgo=',
    brandColor: '#a8482a',
  });
  await mailer.sendCode('ada@example.com', '012345', 'en');
  const [{ raw }] = received as [Received];
  expect(raw).toMatch(/src=3D"cid:[^"]+"/);
  expect(raw).toMatch(/Content-Type: image\/png/);
  expect(raw).not.toContain('data:image');
});

describe('a code', () => {
  it('arrives as text and HTML, from the brand, marked as sent by a machine', async () => {
    const { received, port } = await mailServer();
    const { mailer, report } = mailerTo(port);
    await mailer.sendCode('ada@example.com', '012345', 'en');
    expect(received).toHaveLength(1);
    const { from, to, raw } = received[0]!;
    expect(from).toBe('help@acme.example');
    expect(to).toEqual(['ada@example.com']);
    expect(header(raw, 'From')).toBe('Acme <help@acme.example>');
    expect(header(raw, 'To')).toBe('ada@example.com');
    expect(header(raw, 'Subject')).toBe('012345 is your code for Acme');
    expect(header(raw, 'Auto-Submitted')).toBe('auto-generated');
    expect(header(raw, 'X-Auto-Response-Suppress')).toBe('OOF, AutoReply');
    expect(header(raw, 'Reply-To')).toBeUndefined();
    expect(raw).toMatch(/Content-Type: text\/plain/);
    expect(raw).toMatch(/Content-Type: text\/html/);
    expect(report).not.toHaveBeenCalled();
  });

  it('comes from the name in MAIL_FROM where there is one, and from the host where there is no brand', async () => {
    const { received, port } = await mailServer();
    const { mailer } = mailerTo(port, {
      brand: null,
      from: { name: 'Acme: Help (EU)', address: 'help@acme.example' },
    });
    await mailer.sendCode('ada@example.com', '012345', 'en');
    expect(header(received[0]!.raw, 'From')).toBe('"Acme: Help (EU)" <help@acme.example>');
    expect(header(received[0]!.raw, 'Subject')).toBe('012345 is your code for support.example.com');
  });

  it.each([
    ['a brand', 'Acme\r\nBcc: eve@example.com', 'ada@example.com'],
    ['an address', 'Acme', 'ada@example.com\r\nBcc: eve@example.com'],
    ['an address that is a list', 'Acme', 'ada@example.com, eve@example.com'],
    ['an address with another in it', 'Acme', 'x<eve@example.com>@example.com'],
  ])('never reaches another address through %s [identity-48]', async (_, brand, to) => {
    const { received, port } = await mailServer();
    const { mailer } = mailerTo(port, { brand });
    await mailer.sendCode(to, '012345', 'en');
    expect(received.flatMap((mail) => mail.to)).not.toContain('eve@example.com');
    for (const { raw } of received) expect(header(raw, 'Bcc')).toBeUndefined();
  });

  it('to a recipient that the server refuses looks sent, and is logged without the address [identity-46]', async () => {
    const { port } = await mailServer(() => 550);
    const { mailer, report } = mailerTo(port);
    await expect(mailer.sendCode('ada@example.com', '012345', 'en')).resolves.toBeUndefined();
    expect(report).toHaveBeenCalledExactlyOnceWith('mail_recipient_refused', { status: 550 });
  });

  it.each([
    ['nobody listens', () => deadPort('closed')],
    ['nothing is answered', () => deadPort('silent')],
    ['a reply never ends', () => deadPort('endless')],
    ['recipients are put off', async () => (await mailServer(() => 451)).port],
    ['the message is refused', async () => (await mailServer(() => null, 554)).port],
  ])('fails as unavailable when %s, and the error names no address', async (_, portOf) => {
    const { mailer } = mailerTo(await portOf(), { timeoutMs: 300 });
    const error = await mailer.sendCode('ada@example.com', '012345', 'en').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'upstream_unavailable' });
    expect(String((error as Error).cause)).toMatch(/^LoggableError: mail: ./);
    expect(JSON.stringify(error) + String((error as Error).cause)).not.toMatch(/ada|012345/);
  });
});

describe('a mail about a ticket', () => {
  const operator = { name: 'Acme', address: 'answers@acme.example' };
  const withToken = { name: 'Acme', address: 'answers+{token}@acme.example' };
  const token = { replyTo: { name: 'Acme', address: 'answers+t0k3n@acme.example' }, id: 't0k3n' };
  const about = {
    to: 'ada@example.com',
    id: 'second',
    threadId: 'first',
    kind: 'answer' as const,
    number: '1042',
    reference: '1042-1',
    reply: null,
    texts: null,
    replyTime: null,
    link: 'https://support.example.com/?ticket=1',
    unsubscribeLink: 'https://support.example.com/unsubscribe/1',
    language: 'en',
  };

  it('has ids under the domain of MAIL_FROM, and headers to unsubscribe', async () => {
    const { received, port } = await mailServer();
    const { mailer } = mailerTo(port, { from: { name: 'Acme: Help (EU)', address: 'help@acme.example' } });
    expect(await mailer.sendTicketMail(about)).toBe('sent');
    expect(await mailer.sendTicketMail({ ...about, id: 'first' })).toBe('sent');
    const [second, first] = received.map(({ raw }) => raw);
    expect(header(second!, 'Message-ID')).toBe('<second@acme.example>');
    expect(header(second!, 'References')).toBe('<first@acme.example>');
    expect(header(second!, 'In-Reply-To')).toBe('<first@acme.example>');
    expect(header(second!, 'List-Unsubscribe')).toContain(`<${about.unsubscribeLink}>`);
    expect(header(second!, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    expect(header(first!, 'Message-ID')).toBe('<first@acme.example>');
    expect(header(first!, 'References')).toBeUndefined();
  });

  it.each([
    ['bounced', 'the recipient is refused', () => mailServer(() => 550)],
    ['refused', 'the recipient is refused for another reason', () => mailServer(() => 554)],
    ['bounced', 'there is no such mailbox', () => mailServer(() => null, 550, '5.1.1 unknown')],
    ['refused', 'the message is refused without a reason', () => mailServer(() => null, 550)],
    ['refused', 'the mailbox is full for now', () => mailServer(() => null, 552, '5.2.2 full')],
    ['refused', 'the message is refused', () => mailServer(() => null, 554)],
    ['refused', 'rules refuse us', () => mailServer(() => null, 550, '5.7.1 not from here')],
    ['failed', 'the server wants a login', () => mailServer(() => 530)],
    ['failed', 'the server relays nothing', () => mailServer(() => null, 554, '5.7.1 relay access denied')],
    ['failed', 'recipients are put off', () => mailServer(() => 451)],
    ['failed', 'the message is put off', () => mailServer(() => null, 451)],
    ['failed', 'nobody listens', async () => ({ port: await deadPort('closed') })],
    ['uncertain', 'nothing is answered', async () => ({ port: await deadPort('silent') })],
  ])('is reported as %s when %s', async (result, reason, serverOf) => {
    const more = result === 'uncertain' ? { timeoutMs: 300 } : {};
    const { mailer, report } = mailerTo((await serverOf()).port, more);
    expect(await mailer.sendTicketMail(about)).toBe(result);
    expect(JSON.stringify(report.mock.calls)).not.toContain('ada');
    expect(report.mock.calls.map(([code]) => code)).toEqual([
      ['bounced', 'refused'].includes(result)
        ? 'mail_recipient_refused'
        : reason.startsWith('the server')
          ? 'mail_sender_refused'
          : 'mail_not_sent',
    ]);
  });

  it('is tried again, and the operator hears of it, while the server refuses one recipient after the other', async () => {
    let isRefusing = true;
    const { port } = await mailServer((to) => (isRefusing || to.startsWith('x') ? 554 : null));
    const { mailer, report } = mailerTo(port);
    const sendTo = (to: string) => mailer.sendTicketMail({ ...about, to });
    expect(await sendTo('a@example.com')).toBe('refused');
    // The same recipient again shows nothing new.
    expect(await sendTo('a@example.com')).toBe('refused');
    expect(await sendTo('b@example.com')).toBe('refused');
    expect(await sendTo('c@example.com')).toBe('failed');
    expect(report).toHaveBeenLastCalledWith('mail_sender_refused', { cause: 'EENVELOPE RCPT TO 554' });
    await expect(mailer.sendCode('d@example.com', '012345', 'en')).rejects.toMatchObject({
      code: 'upstream_unavailable',
    });
    isRefusing = false;
    expect(await sendTo('d@example.com')).toBe('sent');
    expect(await sendTo('x@example.com')).toBe('refused');
  });

  it.each([
    ['is not read anywhere', {}, null, undefined, 'Please answer there.'],
    ['goes to an address of the operator', { replyTo: operator }, null, operator, 'On a new device'],
    ['has the token in its address', { replyTo: withToken }, token, token.replyTo, 'simply reply'],
    [
      'has the token in its references',
      { replyTo: operator },
      { ...token, replyTo: operator },
      operator,
      'simply reply',
    ],
    [
      'would need a token, and there is none',
      { replyTo: withToken },
      null,
      undefined,
      'Please answer there.',
    ],
  ])('says where an answer goes that %s', async (_, more, reply, replyTo, words) => {
    const { received, port } = await mailServer();
    await mailerTo(port, more).mailer.sendTicketMail({ ...about, reply });
    const { raw } = received[0]!;
    expect(header(raw, 'Reply-To')).toBe(replyTo && `${replyTo.name} <${replyTo.address}>`);
    const sentences = ['Please answer there.', 'simply reply'].filter((each) => raw.includes(each));
    expect(sentences).toEqual(words === 'On a new device' ? [] : [words]);
  });

  it('has the token in its ids, and refers to the same root whatever the token', async () => {
    const { received, port } = await mailServer();
    const { mailer } = mailerTo(port);
    await mailer.sendTicketMail({ ...about, id: 'first', reply: token });
    await mailer.sendTicketMail({ ...about, reply: { ...token, id: 'renewed' } });
    const ids = received.map(({ raw }) =>
      ['Message-ID', 'References', 'In-Reply-To'].map((name) => header(raw, name)!.replace('\r\n', '')),
    );
    expect(ids).toEqual([
      ['<first.t0k3n@acme.example>', '<first@acme.example> <t0k3n@acme.example>', '<first@acme.example>'],
      [
        '<second.renewed@acme.example>',
        '<first@acme.example> <renewed@acme.example>',
        '<first@acme.example>',
      ],
    ]);
  });

  it('tells Gmail its kind, and machines to send no automatic answer', async () => {
    const { received, port } = await mailServer();
    await mailerTo(port).mailer.sendTicketMail({ ...about, kind: 'confirmation' });
    expect(header(received[0]!.raw, 'Feedback-ID')).toBe('confirmation:deskside');
    expect(header(received[0]!.raw, 'Auto-Submitted')).toBe('auto-generated');
    expect(header(received[0]!.raw, 'X-Auto-Response-Suppress')).toBe('OOF, AutoReply');
  });

  it('with a code is never answered to an address that needs a token', async () => {
    const { received, port } = await mailServer();
    await mailerTo(port, { replyTo: withToken }).mailer.sendCode('ada@example.com', '012345', 'en');
    expect(header(received[0]!.raw, 'Reply-To')).toBeUndefined();
  });
});
