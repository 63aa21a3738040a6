import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { readImapAddress } from '../../bff/extras/mails/in/imap-address.ts';
import { createMailer } from '../../bff/extras/mails/mailer.ts';
import { hasBoth, startBoth, startedBefore } from './servers.ts';

const servers = startedBefore(hasBoth, startBoth);

/** The threads of a mailbox as its server makes them (RFC 5256): numbers of mails in brackets. */
function threadsOf(url: string): Promise<string> {
  const { port, user, password } = readImapAddress(url)!;
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  socket.write(`a LOGIN "${user}" "${password}"\r\nb SELECT INBOX\r\nc THREAD REFERENCES UTF-8 ALL\r\n`);
  return new Promise((resolve, reject) => {
    let answer = '';
    socket.on('error', reject);
    socket.on('data', (text) => {
      answer += String(text);
      if (!/^c /m.test(answer)) return;
      socket.destroy();
      resolve(/^\* THREAD (.*)\r$/m.exec(answer)?.[1] ?? answer);
    });
  });
}

it.skipIf(!hasBoth)(
  'mails about a ticket and answers to them are one thread, also after a new token',
  async () => {
    const mailbox = servers.dovecot.mailbox('ada@shop.test');
    const mailer = createMailer({
      url: servers.postfix.url,
      from: { name: 'Acme: Support (EU)', address: 'support@shop.test' },
      brand: 'Acme',
      publicUrl: 'https://support.shop.test',
      log: { report: () => {} },
    });
    let count = 0;
    /** The mail that comes next. */
    async function newest(): Promise<string> {
      count += 1;
      for (;;) {
        const mails = await mailbox.mails();
        if (mails.length >= count) return mails.at(-1)!;
        await sleep(20);
      }
    }
    async function send(kind: 'confirmation' | 'answer', id: string, token: string | null, number = '1042') {
      await mailer.sendTicketMail({
        kind,
        id,
        threadId: `root-of-${number}`,
        reply:
          token === null ? null : { replyTo: { name: '', address: `support+${token}@shop.test` }, id: token },
        to: 'ada@shop.test',
        number,
        reference: id,
        texts: null,
        replyTime: null,
        link: 'https://support.shop.test/?ticket=1',
        unsubscribeLink: 'https://support.shop.test/unsubscribe/1',
        language: 'en',
      });
      return /^Message-ID: (.*)\r$/m.exec(await newest())![1]!;
    }
    await send('confirmation', 'root-of-1042', 'first');
    const answered = await send('answer', 'one', 'first');
    const hers = `From: ada@shop.test\r\nSubject: AW: Your message\r\nMessage-ID: <hers@x>\r\nIn-Reply-To: ${answered}\r\n\r\nHi\r\n`;
    await servers.postfix.send(hers, { from: 'ada@shop.test', to: 'ada@shop.test' });
    await newest();
    await send('answer', 'two', 'second');
    await send('answer', 'three', null);
    await send('answer', 'four', 'other', '1043');
    expect(await threadsOf(mailbox.url)).toBe('((1)(2 3)(4)(5))(6)');
  },
);
