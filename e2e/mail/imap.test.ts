import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createImapSource, type MailPosition, type MailSource } from '../../bff/extras/mails/in/imap.ts';
import { mailboxChecks } from '../../bff/extras/mails/in/imap-check.ts';
import { ok, runChecks } from '../../bff/core/operator/check.ts';
import { readImapAddress } from '../../bff/extras/mails/in/imap-address.ts';
import { type DovecotMailbox, hasDovecot, startDovecot } from '../../scripts/dovecot.ts';
import { startedBefore } from './servers.ts';

const servers = startedBefore(hasDovecot(), async () => ({ dovecot: await startDovecot() }));
let mailbox: DovecotMailbox;
let mailboxes = 0;
let readers: MailSource[];

beforeEach(() => {
  readers = [];
  mailbox = servers.dovecot.mailbox(`support-${mailboxes++}@shop.test`);
});
afterEach(() => Promise.all(readers.map((reader) => reader.stop())));

const mail = (words: string, more = '') =>
  `From: Ada <ada@example.com>\r\nTo: support@shop.test\r\nSubject: Re: Pump\r\n${more}\r\n${words}\r\n`;

/** Waits for what the mail server and the reader do by themselves. */
async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isDone())) await sleep(20);
}

/** What a store keeps of a mailbox and of its mails. */
function createKept() {
  const words: string[] = [];
  const codes: string[] = [];
  const kept = {
    /** The last line of each mail, in the order in which they were taken. */
    words,
    /** The mail that was taken last, as it came. */
    newest: '',
    /** What the log was told. */
    codes,
    position: { uidValidity: null, lastUid: 0, since: Date.now() } as MailPosition,
    /** Called before a mail is kept. */
    onTake: async (): Promise<void> => {},
    /** Called when a mail is kept, and not marked yet. */
    onTaken: async (): Promise<void> => {},
  };
  return kept;
}

type Kept = ReturnType<typeof createKept>;

interface Reading {
  url: string;
  mayRead: () => Promise<boolean>;
  look: number;
  silence: number;
}

/** Starts a reader of the mailbox. Without `url` it connects to the server itself. */
function read(kept: Kept, more: Partial<Reading> = {}): MailSource {
  const { url = mailbox.url, mayRead = async () => true, ...pace } = more;
  const reader = createImapSource({
    address: readImapAddress(url)!,
    async take(raw) {
      await kept.onTake();
      kept.newest = Buffer.from(raw).toString();
      const line = Buffer.from(raw).toString().trimEnd().split('\r\n').at(-1)!;
      if (!kept.words.includes(line)) kept.words.push(line);
      await kept.onTaken();
    },
    mayRead,
    position: {
      read: async () => kept.position,
      async write(position) {
        kept.position = position;
      },
    },
    log: { info: () => {}, report: (code, fields) => kept.codes.push(`${code} ${fields?.cause}`) },
    elapsed: () => performance.now(),
    // A day: what arrives is told by IDLE alone.
    pace: { mayRead: 50, look: 86_400_000, again: [20, 100], refused: 86_400_000, ...pace },
  });
  readers.push(reader);
  reader.start();
  return reader;
}

const flags = () =>
  mailbox.open(async (client) => {
    const rows =
      client.mailbox && client.mailbox.exists > 0 ? await client.fetchAll('1:*', { flags: true }) : [];
    return rows.map((row) => [...row.flags!].filter((flag) => flag !== '\\Recent').toSorted());
  });

const taken = ['$DesksideTaken', '\\Seen'];

describe.skipIf(!hasDovecot())('a mailbox of Dovecot', () => {
  it('gives mails in their order, and keeps them marked as taken', async () => {
    const kept = createKept();
    for (const words of ['one', 'two', 'three']) await mailbox.deliver(mail(words));
    read(kept);
    await until(() => kept.words.length === 3);
    expect(kept.words).toEqual(['one', 'two', 'three']);
    await until(() => kept.position.lastUid === 3);
    expect(await flags()).toEqual([taken, taken, taken]);
    expect(kept.codes).toEqual([]);
  });

  it('gives a mail of several megabytes as it is', async () => {
    const kept = createKept();
    const lines = Array.from({ length: 40_000 }, (_, nth) => `${nth} ${'x'.repeat(70)}\r\n`);
    await mailbox.deliver(mail(`${lines.join('')}the end`));
    read(kept);
    await until(() => kept.words.length === 1);
    expect(kept.newest).toBe((await mailbox.mails())[0]);
  });

  it('tells by IDLE what arrives', async () => {
    const kept = createKept();
    read(kept);
    await until(() => kept.position.uidValidity !== null);
    await mailbox.deliver(mail('one'));
    await until(() => kept.words.length === 1);
    await mailbox.deliver(mail('two'));
    await until(() => kept.words.length === 2);
    expect(kept.words).toEqual(['one', 'two']);
  });

  it('is looked at again and again without IDLE', async () => {
    await servers.dovecot.halt();
    await servers.dovecot.resume('imap_capability = IMAP4rev1 SASL-IR LITERAL+ ID ENABLE UIDPLUS');
    const kept = createKept();
    read(kept, { look: 100 });
    await until(() => kept.position.uidValidity !== null);
    await mailbox.deliver(mail('one'));
    await until(() => kept.words.length === 1);
    expect(kept.words).toEqual(['one']);
    await servers.dovecot.halt();
    await servers.dovecot.resume();
  });

  it('gives what somebody has read or flagged by hand, and nothing of before mails were wanted', async () => {
    const kept = createKept();
    const dayAgo = new Date(kept.position.since - 86_400_000);
    await mailbox.open((client) => client.append('INBOX', mail('of yesterday'), [], dayAgo));
    await mailbox.deliver(mail('seen'));
    await mailbox.deliver(mail('answered'));
    await mailbox.open((client) => client.messageFlagsAdd('2:3', ['\\Seen', '\\Answered', '\\Flagged']));
    read(kept);
    await until(() => kept.words.length === 2);
    await mailbox.open(async (client) => client.append('INBOX', mail('seen at once'), ['\\Seen']));
    await until(() => kept.words.length === 3);
    expect(kept.words).toEqual(['seen', 'answered', 'seen at once']);
    await until(() => kept.position.lastUid === 4);
    expect((await flags())[0]).toEqual([]);
  });

  it('gives a mail that was moved to it, however old it is', async () => {
    const kept = createKept();
    read(kept);
    await until(() => kept.position.uidValidity !== null);
    await mailbox.open(async (client) => {
      await client.mailboxCreate('Junk');
      await client.append('Junk', mail('no junk'), ['\\Seen'], new Date('2020-02-02'));
      await client.mailboxOpen('Junk');
      await client.messageMove('1', 'INBOX');
    });
    await until(() => kept.words.length === 1);
    expect(kept.words).toEqual(['no junk']);
  });

  it('gives a mail once when the reader ends between taking and marking it', async () => {
    const kept = createKept();
    await mailbox.deliver(mail('one'));
    await mailbox.deliver(mail('two'));
    let takes = 0;
    kept.onTaken = async () => {
      takes += 1;
      if (takes === 1) throw Object.assign(new Error('the process ends'), { code: 'KILLED' });
    };
    read(kept);
    await until(() => kept.position.lastUid === 2);
    expect(takes).toBe(3);
    expect(kept.words).toEqual(['one', 'two']);
    expect(await flags()).toEqual([taken, taken]);
  });

  it('takes no more mails once another reader has its turn', async () => {
    const kept = createKept();
    let mayRead = true;
    kept.onTaken = async () => void (mayRead = false);
    for (const words of ['one', 'two']) await mailbox.deliver(mail(words));
    const reader = read(kept, { mayRead: async () => mayRead });
    await until(() => kept.words.length === 1);
    await reader.stop();
    expect(kept.words).toEqual(['one']);
  });

  it('gives a mail once to two readers', async () => {
    const kept = createKept();
    let holder = 'first';
    const readAs = (name: string) => read(kept, { mayRead: async () => holder === name });
    let takes = 0;
    kept.onTaken = async () => void (takes += 1);
    const first = readAs('first');
    readAs('second');
    await mailbox.deliver(mail('one'));
    await until(() => kept.position.lastUid === 1);
    await first.stop();
    holder = 'second';
    await mailbox.deliver(mail('two'));
    await until(() => kept.position.lastUid === 2);
    expect([kept.words, takes]).toEqual([['one', 'two'], 2]);
  });

  it('is read again after the server was away', async () => {
    const kept = createKept();
    read(kept);
    await until(() => kept.position.uidValidity !== null);
    await servers.dovecot.halt();
    await until(() => kept.codes.length === 1);
    await servers.dovecot.resume();
    await mailbox.deliver(mail('one'));
    await until(() => kept.words.length === 1);
    expect(kept.codes).toEqual(['mail_in_not_read ECONNREFUSED']);
  });

  it('is read again after its connection went silent, which nothing told', async () => {
    const relay = await startRelay(servers.dovecot.ports.imap);
    const kept = createKept();
    read(kept, {
      url: mailbox.url.replace(`:${servers.dovecot.ports.imap}`, `:${relay.port}`),
      silence: 1_000,
    });
    await until(() => kept.position.uidValidity !== null);
    relay.silence();
    await mailbox.deliver(mail('one'));
    await until(() => kept.words.length === 1);
    expect(relay.count()).toBeGreaterThan(1);
    await relay.stop();
  });

  it('is asked for once while it refuses the password', async () => {
    const kept = createKept();
    const reader = read(kept, { url: mailbox.url.replace(/secret/, 'guess') });
    await until(() => kept.codes.length > 0);
    await reader.stop();
    expect(kept.codes).toEqual(['mail_in_login_refused AUTHENTICATIONFAILED']);
  });

  it('is told to have no such folder until there is one', async () => {
    const kept = createKept();
    read(kept, { url: mailbox.url.replace(/INBOX$/, 'Answers/By%20mail') });
    await until(() => kept.codes.length > 0);
    expect(kept.codes).toEqual([expect.stringContaining('mail_in_no_folder')]);
    await mailbox.open((client) => client.mailboxCreate(['Answers', 'By mail']));
    await until(() => kept.position.uidValidity !== null);
  });

  it('gives the mails that arrived since the last one when it has new UIDs', async () => {
    const kept = createKept();
    const hourAgo = new Date(Date.now() - 3_600_000);
    await mailbox.open((client) => client.append('INBOX', mail('of before'), [], hourAgo));
    await mailbox.deliver(mail('one'));
    const reader = read(kept);
    await until(() => kept.position.lastUid === 2);
    await reader.stop();
    await mailbox.deliver(mail('two'));
    const before = kept.position;
    await mailbox.doveadm(['mailbox', 'update', '--uid-validity', '4294967294'], 'INBOX');
    let takes = 0;
    kept.onTaken = async () => void (takes += 1);
    read(kept);
    await until(() => kept.position.uidValidity !== before.uidValidity);
    expect([kept.words, takes]).toEqual([['one', 'two'], 1]);
    expect(kept.position).toMatchObject({ uidValidity: '4294967294', lastUid: 3 });
  });

  it('gives, once the store was set back, only those whose mark was taken off', async () => {
    for (const words of ['one', 'two']) await mailbox.deliver(mail(words));
    const first = createKept();
    const reader = read(first);
    await until(() => first.position.lastUid === 2);
    await reader.stop();
    await mailbox.open((client) => client.messageFlagsRemove('2', ['$DesksideTaken']));
    const kept = createKept();
    kept.position = { ...first.position, lastUid: 0 };
    read(kept);
    await until(() => kept.position.lastUid === 2);
    expect([kept.words, kept.codes]).toEqual([['two'], []]);
  });

  it('is read without marks where the login may not set them', async () => {
    await mailbox.deliver(mail('one'));
    mailbox.setRights('lr');
    const kept = createKept();
    read(kept);
    await until(() => kept.position.lastUid === 1);
    await mailbox.deliver(mail('two'));
    await until(() => kept.position.lastUid === 2);
    expect([kept.words, kept.codes]).toEqual([['one', 'two'], []]);
    expect(await flags()).toEqual([[], []]);
  });

  it('keeps a mail that is too large, unread and flagged, and gives the others', async () => {
    const kept = createKept();
    await mailbox.deliver(mail(`${'x'.repeat(76)}\r\n`.repeat(220_000)));
    await mailbox.deliver(mail('two'));
    read(kept);
    await until(() => kept.position.lastUid === 2);
    expect(kept.words).toEqual(['two']);
    expect(kept.codes).toEqual(['mail_in_too_large UID 1, 18 MB']);
    expect(await flags()).toEqual([['\\Flagged'], taken]);
  });

  it('loses no mail while the store is away, however long', async () => {
    const kept = createKept();
    await mailbox.deliver(mail('one'));
    let takes = 0;
    kept.onTake = async () => {
      takes += 1;
      if (takes < 30) throw Object.assign(new Error('disk full'), { code: 'SQLITE_FULL' });
    };
    read(kept);
    await until(() => kept.position.lastUid === 1);
    expect(kept.words).toEqual(['one']);
    expect(kept.codes).toEqual(['mail_in_not_read SQLITE_FULL']);
  });

  it('gives the others when one of its mails cannot be fetched', async () => {
    const kept = createKept();
    for (const words of ['one', 'two']) await mailbox.deliver(mail(words));
    const relay = await startRelay(servers.dovecot.ports.imap, {
      ends: (said) => /UID FETCH 1 \(?.*BODY/.test(said),
    });
    read(kept, { url: mailbox.url.replace(`:${servers.dovecot.ports.imap}`, `:${relay.port}`) });
    await until(() => kept.position.lastUid === 2);
    expect(kept.words).toEqual(['two']);
    expect(kept.codes.at(-1)).toBe('mail_in_not_given UID 1, 20 attempts');
    expect(await flags()).toEqual([['\\Flagged'], taken]);
    await relay.stop();
  });
});

/** Between the reader and the server. It ends a connection whose reader says what `ends` matches. */
async function startRelay(
  port: number,
  { ends = (_said: string): boolean => false, host = '127.0.0.1' } = {},
) {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((client) => {
    connections += 1;
    const upstream = connect(port, '127.0.0.1');
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => {}));
    upstream.pipe(client);
    client.on('data', (chunk) => {
      if (ends(chunk.toString())) client.destroy();
      else upstream.write(chunk);
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  }).listen(0, host);
  await once(server, 'listening');
  const address = server.address() as { port: number };
  return {
    port: address.port,
    count: () => connections,
    /** Nothing passes any more on the connections of now, and nothing ends them. */
    silence() {
      for (const socket of sockets) socket.unpipe().removeAllListeners('data').resume();
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

describe.skipIf(!hasDovecot())('the checks of a mailbox', () => {
  const levels = async (url: string | undefined) => {
    const configuration = { name: 'configuration', needs: [], fix: '', run: () => ok('valid') };
    const results = await runChecks([configuration, ...mailboxChecks(() => url, 20_000)]);
    return results.slice(1).map(({ level, says }) => `${level}: ${says}`);
  };

  it('pass with a folder that keeps marks, and change nothing', async () => {
    await mailbox.deliver(mail('one'));
    expect(await levels(mailbox.url)).toEqual([
      'ok: the server of the mailbox answers',
      'ok: it takes user and password',
      'ok: INBOX has 1 mails, keeps marks, and tells at once what arrives',
    ]);
    expect(await flags()).toEqual([[]]);
  });

  it('warn of a folder that keeps no marks', async () => {
    await mailbox.deliver(mail('one'));
    mailbox.setRights('lr');
    expect((await levels(mailbox.url))[2]).toMatch(/^warn: INBOX keeps no marks/);
  });

  it.each([
    [
      'the password',
      /secret/,
      'guess',
      [/^ok/, /^fail: .* refuses the login \(AUTHENTICATIONFAILED\)/, /^skip/],
    ],
    ['the folder', /INBOX$/, 'Answers', [/^ok/, /^ok/, /^fail: there is no folder Answers/]],
    ['the port', /:\d+\//, ':1/', [/^fail: nothing listens/, /^skip/, /^skip/]],
    ['TLS', /^imap:/, 'imaps:', [/^fail: no TLS is spoken at that port/, /^skip/, /^skip/]],
  ])('name what is wrong with %s', async (_what, part, wrong, expected) => {
    const found = await levels(mailbox.url.replace(part, wrong));
    expect(found).toEqual(expected.map((line) => expect.stringMatching(line)));
  });

  it('refuse a server elsewhere that takes the password unencrypted', async () => {
    const [own] = Object.values(networkInterfaces()).flatMap((each = []) =>
      each.filter(({ internal, family }) => !internal && family === 'IPv4'),
    );
    if (!own) return;
    const relay = await startRelay(servers.dovecot.ports.imap, { host: own.address });
    const url = mailbox.url.replace(
      `127.0.0.1:${servers.dovecot.ports.imap}`,
      `${own.address}:${relay.port}`,
    );
    expect((await levels(url))[0]).toBe(
      'fail: it offers no STARTTLS, and would get the password unencrypted',
    );
    await relay.stop();
  });

  it('say that nothing is read without MAIL_IN', async () => {
    expect(await levels(undefined)).toEqual(
      Array(3).fill('ok: MAIL_IN is not set: answers by mail are not read'),
    );
  });
});
