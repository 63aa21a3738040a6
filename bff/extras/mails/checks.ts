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
import { tokenPlace } from './mailbox.ts';
import { mailSettings } from './settings.ts';
import { sendTestMail, tryMailServer } from './transport.ts';
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

/** Connects to the mail server and logs in, and asks DNS. Sends a mail only to the address that the operator gives. */
export function mailChecks({ config, patienceMs, mailTo }: CheckContext, dns = systemDns()): Check[] {
  const values = () => valuesOf(mailSettings, config().values);
  const url = () => values().SMTP_URL;
  const attempt = once(async () => {
    const server = url();
    return server === undefined ? null : tryMailServer(server, patienceMs);
  });
  const off = 'SMTP_URL is not set: customers get no codes by mail';

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
      if (url() === undefined || domain === undefined) return skip('SMTP_URL is not set');
      return domain.includes('.')
        ? ask(dns, domain)
        : skip('the domain of MAIL_FROM is none of the internet');
    },
  });

  return [
    {
      name: 'mail-connects',
      needs: ['configuration'],
      fix: 'Check host and port in SMTP_URL, and smtp:// or smtps://, and that this machine may connect to it.',
      async run() {
        if (url() === undefined) return ok(off);
        const problem = await attempt();
        return problem?.at === 'connection'
          ? fail(explainConnection(problem.cause) ?? problem.code)
          : ok('the mail server answers');
      },
    },
    {
      name: 'mail-login',
      needs: ['mail-connects'],
      fix: 'Check user and password in SMTP_URL; special characters in them must be percent-encoded.',
      async run() {
        if (url() === undefined) return ok(off);
        const problem = await attempt();
        if (problem?.at === 'loginMissing')
          return warn(
            'the mail server offers a login, and SMTP_URL has none: many servers then refuse every mail',
            'Put user and password into SMTP_URL, unless deskside check --mail with your address shows that mails arrive without.',
          );
        if (problem) return fail(`the mail server refuses the login (${problem.code})`);
        const hasLogin = new URL(url()!).username !== '';
        return ok(hasLogin ? 'it takes user and password' : 'it asks for no login');
      },
    },
    {
      name: 'mail-sends',
      needs: ['mail-login'],
      fix: 'Do what the answer of the mail server says: most often it wants a login, or does not let it send as MAIL_FROM.',
      async run() {
        const server = url();
        if (server === undefined) return mailTo ? fail(off, 'Set SMTP_URL and MAIL_FROM.') : ok(off);
        if (!mailTo) return skip('no mail was sent: deskside check --mail with your address sends one');
        const { MAIL_FROM: from, MAIL_REPLY_TO: replyTo } = values();
        const isFixed = replyTo && !replyTo.address.includes(tokenPlace);
        const mail = { to: mailTo, from, ...(isFixed && { replyTo }) };
        return ok(
          `the mail server took a mail to ${mailTo}: ${await sendTestMail(server, mail, patienceMs)}`,
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
