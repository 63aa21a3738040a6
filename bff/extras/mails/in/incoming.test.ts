import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accountPaths } from '../../../../shared/contract/account-paths.ts';
import { paths } from '../../../../shared/contract/paths.ts';
import type { TestBrowser } from '../../../testing/browser.ts';
import { claim, signedIn } from '../../../testing/identity.ts';
import { startStreams, until } from '../../../testing/streams.ts';
import { ada, mailsOf } from '../testing/notices.ts';
import {
  bounceOf,
  hookSecret,
  mailOf,
  mailWithFile,
  startIncoming,
  type TestIncoming,
} from './testing/incoming.ts';
import { createInbox } from './inbox.ts';
import { createKeptMails } from './kept-mails.ts';

const dayMs = 86_400_000;

let on: TestIncoming;
beforeEach(async () => {
  on = await startIncoming({
    values: { FILES: 'on', FILES_MAX_BYTES: 10_000_000, FILES_MAX_COUNT: 3, FILES_DAILY_BYTES: 1e9 },
  });
});
afterEach(() => on.stop());

const chores = async () => {
  for (const chore of mailsOf(on.bff).chores!) await chore(20);
};
const piecesLeft = async () => (await on.bff.store.selectFrom('mail_pieces').select('nth').execute()).length;

const delivered = (ticketId: string, count: number) =>
  until(() => expect(on.replies(ticketId)).toHaveLength(count));

/** The customer's messages of a ticket, as a browser sees them. */
const seenIn = async (browser: Pick<TestBrowser, 'get'>, ticketId: string) => {
  const { data } = await browser.get(paths.ticket(ticketId));
  return (data.messages as { author_type: string; body: string }[]).filter(
    ({ author_type }) => author_type === 'customer',
  );
};

describe('an answer with the token of its ticket', () => {
  it('from the address that was mailed is the word of the customer, and agents see that it came by mail', async () => {
    const browser = await signedIn(on.bff, ada);
    const id = await on.opened(browser);
    await on.comes(mailOf({ to: await on.replyTo(id) }));
    await delivered(id, 1);
    expect(on.replies(id)).toEqual([
      'It is the blue one.\n\nBy mail from ada@example.com\n\nDeskside: details 1',
    ]);
    await on.bff.threads.refresh(id);
    const [, reply] = await seenIn(browser, id);
    expect(reply).toMatchObject({ body: 'It is the blue one.', by_mail: true, hidden: false });
    expect(reply).not.toHaveProperty('mailed_by');
  });

  it('goes to the address that our mail about it names', async () => {
    const id = await on.opened();
    await on.answer(id);
    await on.wait();
    const to = (await on.mails())[0]!.header('Reply-To');
    expect(to).toMatch(/^Acme <support\+[a-z2-7]{32}@shop\.test>$/);
    await on.comes(mailOf({ to: to! }));
    await delivered(id, 1);
  });

  it('finds its ticket by the ids of our mails where the server has no plus addresses', async () => {
    const id = await on.opened();
    const [token] = /[a-z2-7]{32}/.exec(await on.replyTo(id))!;
    await on.comes(mailOf({ header: [`In-Reply-To: <abc.${token}@shop.test>`] }));
    await until(() => expect(on.replies(id)).toHaveLength(1));
  });

  it('is taken also when a server has put its address in capitals', async () => {
    const id = await on.opened();
    await on.comes(mailOf({ to: (await on.replyTo(id)).toUpperCase() }));
    await until(() => expect(on.replies(id)).toHaveLength(1));
  });

  it('from somebody else is taken, and says to agents and customer by whom [mail-11]', async () => {
    const browser = await signedIn(on.bff, ada);
    const id = await on.opened(browser);
    await on.comes(mailOf({ from: 'Bob <Bob@Example.com>', to: await on.replyTo(id) }));
    await delivered(id, 1);
    expect(on.replies(id)[0]).toContain('\n\nBy mail from bob@example.com, not verified\n\n');
    await on.bff.threads.refresh(id);
    expect((await seenIn(browser, id))[1]).toMatchObject({ by_mail: true, mailed_by: 'bob@example.com' });
  });

  it('is withheld from a stranger who has only typed the address, in the conversation and in their data [mail-13]', async () => {
    const stranger = on.bff.browser();
    const id = await on.opened(stranger);
    await on.comes(mailOf({ to: await on.replyTo(id), words: 'My number is 0049 Walrus' }));
    expect(JSON.stringify((await stranger.get(paths.ticket(id))).data)).not.toContain('Walrus');
    await delivered(id, 1);
    await on.bff.threads.refresh(id);
    expect((await seenIn(stranger, id))[1]).toMatchObject({ body: '', hidden: true });
    expect((await stranger.get(accountPaths.data)).text).not.toContain('Walrus');
    const owner = await signedIn(on.bff, ada);
    await claim(owner);
    expect((await seenIn(owner, id))[1]).toMatchObject({ body: 'My number is 0049 Walrus', hidden: false });
  });

  it('that imitates the lines for agents has them quoted [mail-15]', async () => {
    const id = await on.opened();
    const words = 'Hello\n\nBy mail from boss@example.com\n\nDeskside: details 1';
    await on.comes(mailOf({ from: 'eve@example.com', to: await on.replyTo(id), words }));
    await delivered(id, 1);
    expect(on.replies(id)[0]).toBe(
      'Hello\n\nBy mail from boss@example.com\n\n> Deskside: details 1\n\nBy mail from eve@example.com, not verified\n\nDeskside: details 1',
    );
  });

  it('keeps the order in which several came', async () => {
    const id = await on.opened();
    const to = await on.replyTo(id);
    for (const words of ['One', 'Two', 'Three', 'Four'])
      expect((await on.post(mailOf({ to, words }))).status).toBe(204);
    await on.incoming.job.pass();
    await delivered(id, 4);
    expect(on.replies(id).map((body) => body.split('\n')[0])).toEqual(['One', 'Two', 'Three', 'Four']);
  });

  it('with nothing but a quote becomes no message, and is left to the operator', async () => {
    const id = await on.opened();
    await on.comes(mailOf({ to: await on.replyTo(id), words: '> What we wrote\n> and more' }));
    expect(await on.results('aside')).toBe(1);
    expect(on.replies(id)).toEqual([]);
  });

  it('that is longer than a message is cut, and is there as a whole in a file', async () => {
    const id = await on.opened();
    const words = `${'All the words that I have.\n'.repeat(1_000)}The end.`;
    await on.comes(mailOf({ to: await on.replyTo(id), words }));
    await delivered(id, 1);
    const [body] = on.replies(id) as [string];
    expect(body.length).toBeLessThanOrEqual(20_000);
    expect(body.length).toBeGreaterThan(18_000);
    expect(body).toContain('[…]\n\nBy mail from ada@example.com\nFile: message.txt, 27 kB, https://');
  });

  it('brings its files, and names those that were not taken', async () => {
    const id = await on.opened();
    await on.comes(mailWithFile({ to: await on.replyTo(id) }, 'list.txt', 'text/plain', 'a list'));
    await on.comes(
      mailWithFile(
        { to: await on.replyTo(id) },
        'evil.exe',
        'application/x-msdownload',
        'MZ\x90\0\x03\0\0\0\x04',
      ),
    );
    await delivered(id, 2);
    expect(on.replies(id)[0]).toMatch(
      /^Here it is\.\n\nBy mail from ada@example\.com\nFile: list\.txt, 6 bytes, https/,
    );
    expect(on.replies(id)[1]).toContain('\nFiles of the mail that were not taken: evil.exe\n');
  });

  it('calls no file refused that another process keeps at this moment', async () => {
    await on.opened();
    const { id: subjectId } = await on.bff.store
      .selectFrom('subjects')
      .select('id')
      .executeTakeFirstOrThrow();
    const files = on.bff.extras.get('files')!;
    const content = Buffer.alloc(9_000_000, 'a list ');
    const store = () =>
      files.storeFiles!([{ name: 'list.txt', type: 'text/plain', content }], subjectId, 'a send');
    const first = store();
    const begun = on.bff.store.selectFrom('files').select('id');
    await until(async () => expect(await begun.execute()).toHaveLength(1));
    const both = await Promise.allSettled([first, store()]);
    const stored = both.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(stored).toEqual(stored.map(() => ({ ids: [expect.any(String)], refused: [] })));
    expect(stored).not.toEqual([]);
  });
});

describe('a token', () => {
  it('of another ticket opens only that', async () => {
    const id = await on.opened();
    const other = await on.opened(undefined, { customer_email: 'bob@example.com' });
    await on.comes(mailOf({ to: await on.replyTo(other, 'bob@example.com') }));
    await delivered(other, 1);
    expect(on.replies(id)).toEqual([]);
  });

  it('is worth nothing after its end, and new mails have a newer one long before', async () => {
    const id = await on.opened();
    const to = await on.replyTo(id);
    expect(await on.replyTo(id)).toBe(to);
    on.passes(31 * dayMs);
    expect(await on.replyTo(id)).not.toBe(to);
    await on.comes(mailOf({ to }));
    await delivered(id, 1);
    on.passes(150 * dayMs);
    await on.comes(mailOf({ to }));
    expect(await on.results('tell')).toBe(1);
  });

  it('is worth nothing once it is revoked, also for a mail that was taken before [mail-14]', async () => {
    const id = await on.opened();
    const to = await on.replyTo(id);
    const mail = mailOf({ to });
    await on.comes(mail);
    await delivered(id, 1);
    await on.incoming.tokens.revoke(on.bff.subjects.addressHash(ada));
    await on.comes(mail);
    await on.comes(mailOf({ to }));
    expect(await on.results('tell')).toBe(1);
    expect(await on.replyTo(id)).not.toBe(to);
    expect(on.replies(id)).toHaveLength(1);
  });

  it('is worth nothing once the customer has deleted their data', async () => {
    const browser = await signedIn(on.bff, ada);
    const id = await on.opened(browser);
    const to = await on.replyTo(id);
    await on.comes(mailOf({ to, words: 'Once' }));
    await delivered(id, 1);
    await until(async () => expect((await browser.request('DELETE', accountPaths.data)).status).toBe(200));
    expect(await on.bff.store.selectFrom('mails_in').selectAll().execute()).toEqual([]);
    await on.comes(mailOf({ to, words: 'Twice' }));
    expect(on.replies(id)).toHaveLength(1);
    expect(await on.results('tell')).toBe(1);
  });

  it('is not in the store', async () => {
    const id = await on.opened();
    const [token] = /[a-z2-7]{32}/.exec(await on.replyTo(id))!;
    const rows = await on.bff.store.selectFrom('reply_tokens').selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

describe('a mail', () => {
  it('that comes twice is taken once, also with another header', async () => {
    const id = await on.opened();
    const mail = mailOf({ to: await on.replyTo(id) });
    await on.comes(mail);
    await on.comes(`Received: by another.server\r\n${mail}`);
    await delivered(id, 1);
    expect(await on.results('repeated')).toBe(1);
  });

  it('with the Message-ID of another one and other words is taken too', async () => {
    const id = await on.opened();
    const mail = { to: await on.replyTo(id), messageId: 'same@example.com' };
    await on.comes(mailOf({ ...mail, words: 'One' }));
    await on.comes(mailOf({ ...mail, words: 'Two' }));
    await until(() => expect(on.replies(id)).toHaveLength(2));
  });

  it('that two processes act on is sent once', async () => {
    const id = await on.opened();
    await on.post(mailOf({ to: await on.replyTo(id) }));
    const { job } = on.incoming;
    await Promise.all([job.pass(), job.pass(), job.pass()]);
    await delivered(id, 1);
    expect(await on.results('reply')).toBe(1);
  });

  it('whose process was killed between send and record is sent once', async () => {
    const id = await on.opened();
    await on.post(mailWithFile({ to: await on.replyTo(id) }, 'list.txt', 'text/plain', 'a list'));
    await on.incoming.job.pass();
    await delivered(id, 1);
    await on.bff.store.updateTable('mails_in').set({ state: 'waiting', operation_id: null }).execute();
    await on.incoming.job.pass();
    expect(on.replies(id)).toHaveLength(1);
    const [row] = await on.bff.store.selectFrom('mails_in').selectAll().execute();
    expect(row).toMatchObject({ state: 'done', operation_id: expect.any(String) });
    expect(await on.bff.store.selectFrom('operations').select('id').execute()).toHaveLength(2);
  });

  it('that cannot be read is set aside with its reason, and the others go on [mail-19]', async () => {
    const id = await on.opened();
    const to = await on.replyTo(id);
    await on.comes(mailOf({ to, header: ['X-Odd: x'.repeat(60_000)], words: 'bomb' }));
    await on.comes(mailOf({ to }));
    await delivered(id, 1);
    expect(await on.asides()).toEqual([expect.stringMatching(/^it cannot be read: /)]);
    expect(on.bff.logLines.some((line) => line.includes('mail_set_aside'))).toBe(true);
  });

  it('of 30 MB is set aside with its beginning, and the others go on [mail-20]', async () => {
    const id = await on.opened();
    const to = await on.replyTo(id);
    await on.comes(Buffer.from(mailOf({ to, words: 'x'.repeat(30_000_000) })));
    await on.comes(mailOf({ to }));
    await delivered(id, 1);
    expect(await on.asides()).toEqual([expect.stringContaining('bytes')]);
  });

  it('that is set aside after 200 others is kept with its beginning, and is not tried again [mail-25]', async () => {
    const others = Array.from({ length: 200 }, (_, nth) => ({
      id: `other ${nth}`,
      state: 'aside' as const,
      // Old ones that are erased are removed.
      received_at: on.bff.now() - 1_000 - nth,
      raw_sealed: null,
      reason: '',
    }));
    await on.bff.store.insertInto('mails_in').values(others).execute();
    await on.comes(mailOf({ from: 'nobody', words: 'x'.repeat(100_000) }));
    const kept = createKeptMails(on.bff);
    const [newest] = await kept.setAside(1);
    expect((await newest!.read())!.length).toBe(64 * 1_024);
    expect(await kept.tryAgain(newest!.id)).toBe(false);
    expect(await piecesLeft()).toBe(0);
  });

  it('of many pieces is acted on once it is there as a whole, also after its process was killed in between', async () => {
    const id = await on.opened();
    const content = Array.from({ length: 90_000 }, (_, nth) => nth).join(' ');
    const mail = mailWithFile({ to: await on.replyTo(id) }, 'list.txt', 'text/plain', content);
    let sealed = 0;
    const killed = createInbox({
      ...on.bff,
      seal: {
        ...on.bff.seal,
        seal(place, value) {
          sealed += 1;
          // Its beginning and its first piece are written then.
          if (sealed === 3) throw new Error('the process ends');
          return on.bff.seal.seal(place, value);
        },
      },
    });
    await expect(killed.take(Buffer.from(mail))).rejects.toThrow('the process ends');
    expect(await piecesLeft()).toBe(1);
    await on.incoming.job.pass();
    expect(await on.results('reply')).toBeUndefined();
    await on.comes(mail);
    await delivered(id, 1);
    expect(on.replies(id)[0]).toMatch(/File: list\.txt, 529 kB/);
    const sends = await on.bff.store.selectFrom('operations').select('id').execute();
    const [kept] = await createKeptMails(on.bff).ofSends(sends.map((row) => row.id));
    expect(Buffer.from((await kept!.read())!).toString('latin1')).toBe(mail);
    on.passes(31 * dayMs);
    await chores();
    expect(await piecesLeft()).toBe(0);
  });

  it('that is set aside is erased with the data of who has proven its address, and of nobody else', async () => {
    const [stranger, owner] = [on.bff.browser(), await signedIn(on.bff, ada)];
    const ids = [await on.opened(stranger), await on.opened(owner)];
    const header = ['X-Failed-Recipients: bob@example.com'];
    await on.comes(mailOf({ to: await on.replyTo(ids[1]!), header }));
    expect(await on.asides()).toHaveLength(1);
    const left: number[] = [];
    for (const browser of [stranger, owner]) {
      expect((await browser.request('DELETE', accountPaths.data)).status).toBe(200);
      left.push((await on.asides()).length);
    }
    expect(left).toEqual([1, 0]);
  });

  it('that fails again and again is set aside, and holds up the others until then', async () => {
    const id = await on.opened();
    const to = await on.replyTo(id);
    await on.post(mailOf({ to, words: 'One' }));
    await on.post(mailOf({ to, words: 'Two' }));
    const { received } = on.bff;
    const { reply } = received;
    received.reply = async (holder, what) => {
      if (what.text === 'One') throw new Error('the store of files is away');
      return reply(holder, what);
    };
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      await on.incoming.job.pass();
      expect(on.replies(id)).toEqual([]);
      on.passes(400_000);
    }
    await on.incoming.job.pass();
    await delivered(id, 1);
    expect(await on.asides()).toEqual([expect.stringContaining('failed 8 times')]);
    received.reply = reply;
  });

  it('is erased after RETENTION_MAILS_DAYS, and known until no token of its time is valid', async () => {
    const id = await on.opened();
    await on.comes(mailOf({ to: await on.replyTo(id) }));
    await delivered(id, 1);
    const rows = () => on.bff.store.selectFrom('mails_in').select('raw_sealed').execute();
    expect(await rows()).toEqual([{ raw_sealed: expect.any(String) }]);
    on.passes(31 * dayMs);
    await chores();
    expect(await rows()).toEqual([{ raw_sealed: null }]);
    on.passes(150 * dayMs);
    await chores();
    expect(await rows()).toEqual([]);
  });

  it('that the ticket service refuses later is shown to the operator', async () => {
    const id = await on.opened();
    const to = await on.replyTo(id);
    on.bff.service.answer = ({ method }) => (method === 'POST' ? { statusCode: 409, data: '{}' } : undefined);
    await on.comes(mailOf({ to }));
    await until(async () => {
      await on.incoming.job.pass();
      expect(await on.asides()).toEqual(['the ticket service refused it (conversation_merged)']);
    });
  });

  it('that the ticket service has refused while nobody heard of it is shown to the operator all the same', async () => {
    const id = await on.opened();
    on.bff.service.answer = ({ method }) => (method === 'POST' ? { statusCode: 409, data: '{}' } : undefined);
    await on.comes(mailOf({ to: await on.replyTo(id) }));
    const { store } = on.bff;
    await until(async () => {
      const [send] = await store
        .selectFrom('operations')
        .select('state')
        .where('kind', '=', 'message')
        .execute();
      expect(send).toEqual({ state: 'rejected' });
    });
    // As a process does that begins after that.
    await on.incoming.job.pass();
    expect(await on.asides()).toEqual(['the ticket service refused it (conversation_merged)']);
    on.passes(31 * dayMs);
    await chores();
    await on.incoming.job.pass();
    expect(await on.asides()).toEqual([]);
  });
});

describe('a mail that nobody wrote', () => {
  it.each([
    ['an automatic answer', ['Auto-Submitted: auto-replied']],
    ['a mail of a list', ['List-Id: <news.example.com>', 'Precedence: list']],
  ])('becomes nothing, and is not answered: %s', async (_, header) => {
    const id = await on.opened();
    await on.comes(mailOf({ header }));
    await on.comes(mailOf({ from: 'bob@example.com', to: await on.replyTo(id), header }));
    expect(on.replies(id)).toEqual([]);
    expect(on.mail.mails).toEqual([]);
  });

  it('becomes nothing when it is our own, come back', async () => {
    const id = await on.opened();
    const [token] = /[a-z2-7]{32}/.exec(await on.replyTo(id))!;
    await on.comes(mailOf({ messageId: `abc.${token}@shop.test` }));
    await on.comes(mailOf({ from: 'Acme <support@shop.test>' }));
    await on.comes(mailOf({ from: await on.replyTo(id) }));
    expect(await on.results('ignore')).toBe(3);
    expect(on.mail.mails).toEqual([]);
  });

  it('is set aside once one address has sent too many within a day [mail-17]', async () => {
    const id = await on.opened();
    const to = await on.replyTo(id);
    for (let nth = 0; nth < 61; nth += 1) await on.post(mailOf({ to, words: `Number ${nth}` }));
    await on.incoming.job.pass();
    expect(await on.results('reply')).toBe(60);
    expect(await on.asides()).toEqual(['its sender has sent too many mails within a day']);
    await delivered(id, 60);
  });
});

describe('a bounce', () => {
  const isSilent = () => mailsOf(on.bff).suppressions.has([on.bff.subjects.addressHash(ada)]);

  it('for good of a mail of ours ends the mails to that address, and reaches no ticket', async () => {
    const id = await on.opened();
    const original = mailOf({
      from: 'support@shop.test',
      to: ada,
      header: [`Reply-To: ${await on.replyTo(id)}`],
    });
    await on.comes(bounceOf(ada, original));
    expect(await isSilent()).toBe(true);
    expect(on.replies(id)).toEqual([]);
  });

  it.each([
    ['is temporary', ada, '4.2.2', true],
    ['is about another address', 'bob@example.com', '5.1.1', true],
    ['has no token of ours, so that nobody can silence an address [mail-16]', ada, '5.1.1', false],
  ])('ends no mails when it %s', async (_, address, status, hasToken) => {
    const id = await on.opened();
    const header = hasToken ? [`Reply-To: ${await on.replyTo(id)}`] : [];
    await on.comes(bounceOf(address, mailOf({ to: address, header }), status));
    expect(await isSilent()).toBe(false);
    expect(on.mail.mails).toEqual([]);
  });
});

describe('a mail without a token', () => {
  it('is not answered to an address that gets no mails', async () => {
    await mailsOf(on.bff).suppressions.add(on.bff.subjects.addressHash(ada), 'unsubscribed');
    await on.comes(mailOf());
    expect(on.mail.mails).toEqual([]);
    expect(await on.results('tell')).toBe(1);
  });

  it('is answered once a day with where to write, without a word of it [mail-18]', async () => {
    await on.comes(mailOf({ from: 'zoe@example.com', words: 'Walrus' }));
    await on.comes(mailOf({ from: 'zoe+a@example.com', words: 'Walrus again' }));
    const [first, ...others] = await on.mails();
    expect(others).toEqual([]);
    expect(first!.to).toEqual(['zoe@example.com']);
    expect(first!.header('Subject')).toBe('Your email to Acme');
    expect(first!.header('Auto-Submitted')).toBe('auto-replied');
    expect(first!.text).toContain('https://support.test');
    expect(first!.all).not.toContain('Walrus');
    expect(on.bff.service.tickets.size).toBe(0);
  });

  it('is answered in the language of earlier mails to that address', async () => {
    await on.opened(undefined, { language: 'de' });
    await on.comes(mailOf());
    expect((await on.mails())[0]!.header('Subject')).toBe('Ihre E-Mail an Acme');
  });
});

describe('the hook', () => {
  it('answers a wrong secret like an unknown path', async () => {
    expect((await on.post(mailOf(), `${hookSecret}x`)).status).toBe(404);
    expect((await on.post('')).status).toBe(400);
  });

  it('takes a mail over a network, and refuses one that is too large by its length', async () => {
    const streams = await startStreams(on.bff);
    const post = (headers: Record<string, string>, body: string) =>
      fetch(`${streams.origin}/hooks/mail/${hookSecret}`, { method: 'POST', headers, body });
    expect((await post({ 'Content-Type': 'message/rfc822' }, mailOf())).status).toBe(204);
    expect((await post({}, 'x'.repeat(42_000_000))).status).toBe(413);
    await streams.stop();
    expect(await on.results('taken')).toBe(1);
  });

  it.each(['multipart/form-data', 'application/x-www-form-urlencoded'])(
    'takes the mail of a form byte for byte, in any character set: %s',
    async (kind) => {
      const id = await on.opened();
      const header = ['Content-Type: text/plain; charset=iso-8859-1'];
      const mail = mailOf({ to: await on.replyTo(id), header, words: 'Gr\xFC\xDFe & 100 %' });
      const isMultipart = kind.startsWith('multipart');
      const body = isMultipart
        ? `--xYzZY\r\nContent-Disposition: form-data; name="email"\r\n\r\n${mail}\r\n--xYzZY--\r\n`
        : `email=${Array.from(Buffer.from(mail, 'latin1'), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')}`;
      const type = isMultipart ? `${kind}; boundary=xYzZY` : kind;
      expect((await on.post(Buffer.from(body, 'latin1'), hookSecret, type)).status).toBe(204);
      await on.incoming.job.pass();
      await delivered(id, 1);
      expect(on.replies(id)[0]).toMatch(/^Grüße & 100 %\n/);
    },
  );

  it.each([
    ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n'],
    ['application/x-www-form-urlencoded', 'a=b&'],
  ])('looks for the mail of a form in its first 200 fields: %s', async (type, field) => {
    const last = field.replace('"a"', '"email"').replace('a=', 'email=');
    const posted = async (fields: number) =>
      (await on.post(`${field.repeat(fields)}${last}--x--`, hookSecret, type)).status;
    expect(await posted(199)).toBe(204);
    expect(await posted(200)).toBe(400);
  });

  it('takes the raw mail of a form', async () => {
    const id = await on.opened();
    const form = new FormData();
    form.set('recipient', await on.replyTo(id));
    form.set('body-mime', mailOf());
    const request = new Request('https://support.test', { method: 'POST', body: form });
    const type = request.headers.get('Content-Type')!;
    expect((await on.post(new Uint8Array(await request.arrayBuffer()), hookSecret, type)).status).toBe(204);
    await on.incoming.job.pass();
    await delivered(id, 1);
  });
});
