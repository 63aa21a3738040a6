import { randomBytes } from 'node:crypto';
import { explainConnection } from '../../core/connection-errors.ts';
import { valuesOf } from '../../core/settings/settings.ts';
import {
  checkDkim,
  checkDmarc,
  checkNames,
  checkSpf,
  type Dns,
  publicAddresses,
  systemDns,
} from './dns-checks.ts';
import { readImapAddress } from './in/imap-address.ts';
import { mailboxChecks, waitForMail } from './in/imap-check.ts';
import { tokenPlace } from './sender-address.ts';
import { mailSettings } from './settings.ts';
import {
  type Check,
  type CheckContext,
  type Finding,
  fail,
  ok,
  once,
  skip,
  warn,
} from '../../core/operator/check.ts';

/** A server without mails needs none of it. */
const transport = () => import('./transport.ts');
/** A mail to oneself may take so many times as long as an answer of a server. */
const returnPatience = 6;

/** Connects to the mail server and logs in, and asks DNS. Sends a mail only to the address that the operator gives. */
export function mailChecks({ config, patienceMs, mailTo }: CheckContext, dns = systemDns()): Check[] {
  const values = () => valuesOf(mailSettings, config().values);
  const url = () => values().SMTP_URL;
  const attempt = once(async () => (await transport()).tryMailServer(url()!, patienceMs));
  const off = 'SMTP_URL is not set: customers get no codes by mail';

  /** A check of the mail server. */
  const ofServer = (
    name: string,
    needs: string,
    fix: string,
    ask: (server: string) => Promise<Finding>,
    without = () => ok(off),
  ): Check => ({
    name,
    needs: [needs],
    fix,
    run: () => (url() === undefined ? without() : ask(url()!)),
  });

  /** A check of the domain that mails come from. */
  const ofDomain = (
    name: string,
    fix: string,
    ask: (dns: Dns, domain: string) => Finding | Promise<Finding>,
  ): Check => ({
    name,
    needs: ['configuration'],
    fix,
    run() {
      const domain = values().MAIL_FROM?.address.split('@').at(-1);
      if (url() === undefined || domain === undefined) return ok('SMTP_URL is not set: no mails are sent');
      return domain.includes('.')
        ? ask(dns, domain)
        : skip('the domain of MAIL_FROM is none of the internet');
    },
  });

  return [
    ofServer(
      'mail-connects',
      'configuration',
      'Check host and port in SMTP_URL, and smtp:// or smtps://, and that this machine may connect to it.',
      async () => {
        const problem = await attempt();
        return problem?.at === 'connection'
          ? fail(explainConnection(problem.cause) ?? problem.code)
          : ok('the mail server answers');
      },
    ),
    ofServer(
      'mail-login',
      'mail-connects',
      'Check user and password in SMTP_URL; special characters in them must be percent-encoded.',
      async (server) => {
        const problem = await attempt();
        if (problem?.at === 'loginMissing')
          return warn(
            'the mail server offers a login, and SMTP_URL has none: many servers then refuse every mail',
            'Put user and password into SMTP_URL, unless deskside check --mail with your address shows that mails arrive without.',
          );
        if (problem) return fail(`the mail server refuses the login (${problem.code})`);
        return ok(new URL(server).username ? 'it takes user and password' : 'it asks for no login');
      },
    ),
    ofServer(
      'mail-sends',
      'mail-login',
      'Do what the answer of the mail server says: most often it wants a login, or does not let it send as MAIL_FROM.',
      async (server) => {
        if (!mailTo) return skip('no mail was sent: deskside check --mail with your address sends one');
        const { MAIL_FROM: from, MAIL_REPLY_TO: replyTo } = values();
        const isFixed = replyTo && !replyTo.address.includes(tokenPlace);
        const mail = { to: mailTo, from, ...(isFixed && { replyTo }) };
        const answer = await (await transport()).sendTestMail(server, mail, patienceMs);
        return ok(`the mail server took a mail to ${mailTo}: ${answer}`);
      },
      () => (mailTo ? fail(off, 'Set SMTP_URL and MAIL_FROM.') : ok(off)),
    ),
    ...mailboxChecks(() => values().MAIL_IN, patienceMs),
    {
      name: 'mail-returns',
      needs: ['mail-sends', 'mail-in-folder'],
      fix: 'Look for the mail in other folders and in the log of the mail server. What is sent to MAIL_REPLY_TO, also with another text in place of {token}, must come into the folder of MAIL_IN.',
      async run() {
        const { MAIL_IN: source, MAIL_FROM: from, MAIL_REPLY_TO: replyTo = from } = values();
        if (source === undefined) return ok('MAIL_IN is not set: answers by mail are not read');
        const mailbox = readImapAddress(source);
        if (!mailbox) return skip('mails come by the hook: answer a mail to see whether they do');
        // As long as a token, of the same letters, and none.
        const word = randomBytes(16)
          .toString('hex')
          .replaceAll(/[0189]/g, 'z');
        const to = replyTo!.address.replace(tokenPlace, word);
        const mail = { to, from, subject: `Test mail of Deskside ${word}` };
        await (await transport()).sendTestMail(url()!, mail, patienceMs);
        const limitMs = returnPatience * patienceMs;
        return (await waitForMail(mailbox, word, limitMs))
          ? ok('a mail to the address for answers came into the mailbox')
          : fail(
              `a mail to the address for answers did not come into the mailbox within ${limitMs / 1_000} s`,
            );
      },
    },
    ofDomain(
      'mail-spf',
      'Add the TXT record that your mail provider names, such as "v=spf1 include:… ~all". Providers that send with a domain of their own need none.',
      checkSpf,
    ),
    ofDomain(
      'mail-dkim',
      'Turn DKIM on at your mail provider, and add the records that it names. Without DKIM and SPF, many mails land in spam.',
      checkDkim,
    ),
    ofDomain(
      'mail-dmarc',
      'Add a TXT record at _dmarc, to begin with "v=DMARC1; p=none". Gmail and Yahoo want one from who sends many mails.',
      checkDmarc,
    ),
    ofDomain(
      'mail-ptr',
      'Have the provider of this machine give its address the name of the mail server, unless that server hands its mails on to another.',
      (asked, domain) =>
        /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(new URL(url()!).hostname)
          ? checkNames(asked, domain, publicAddresses())
          : skip('the mail server is not on this machine'),
    ),
  ];
}
