import { afterEach, expect, it } from 'vitest';
import { parseConfig } from '../../config.ts';
import { ok, runChecks } from '../../core/operator/check.ts';
import { serveMail } from '../../testing/operator/checks.ts';
import { startMailServer } from '../../../scripts/mail-server.ts';
import { mailChecks } from './checks.ts';
import type { Dns } from './dns-checks.ts';

let mail: Awaited<ReturnType<typeof serveMail>> | undefined;
afterEach(() => mail?.close());

const notFound = async () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));
const noDns = { resolveTxt: notFound, resolvePtr: notFound };

async function resultsWith(SMTP_URL: string, mailTo: string | null = null, dns: Dns = noDns) {
  const env = {
    SUPPORT_API_URL: 'https://tickets.test',
    SUPPORT_API_KEY: 'key',
    ALLOWED_ORIGINS: 'https://shop.test',
    SMTP_URL,
    MAIL_FROM: 'support@example.com',
  };
  const build = { version: '', widgetDir: '' };
  const context = {
    env,
    config: () => parseConfig(env),
    now: Date.now,
    patienceMs: 60_000,
    mailTo,
    site: null,
    build,
  };
  const configuration = { name: 'configuration', needs: [], fix: '', run: () => ok('valid') };
  const results = await runChecks([configuration, ...mailChecks(context, dns)]);
  return results.slice(1).map(({ name, level, fix }) => ({ name, level, fix }));
}

/** Of the mail server. */
const levelsWith = async (...given: Parameters<typeof resultsWith>) =>
  (await resultsWith(...given)).slice(0, 3);

it('the checks of mail pass with a mail server that takes the login', async () => {
  mail = await serveMail('open sesame');
  expect(await levelsWith(`smtp://us:open%20sesame@127.0.0.1:${mail.port}`)).toMatchObject([
    { level: 'ok' },
    { level: 'ok' },
    { name: 'mail-sends', level: 'skip' },
  ]);
});

it('a mail server that is not there fails mail-connects, with what to do', async () => {
  expect(await levelsWith('smtp://127.0.0.1:1')).toMatchObject([
    {
      name: 'mail-connects',
      level: 'fail',
      fix: expect.stringContaining('Check host and port in SMTP_URL'),
    },
    { name: 'mail-login', level: 'skip' },
    { name: 'mail-sends', level: 'skip' },
  ]);
});

it('a mail server that refuses the login fails mail-login, with what to do', async () => {
  mail = await serveMail('open sesame');
  expect(await levelsWith(`smtp://us:guess@127.0.0.1:${mail.port}`)).toMatchObject([
    { name: 'mail-connects', level: 'ok' },
    { name: 'mail-login', level: 'fail', fix: expect.stringContaining('Check user and password') },
    { name: 'mail-sends', level: 'skip' },
  ]);
});

it('a mail server that offers a login, and gets none, is a warning of mail-login', async () => {
  mail = await serveMail('open sesame');
  expect(await levelsWith(`smtp://127.0.0.1:${mail.port}`)).toMatchObject([
    { name: 'mail-connects', level: 'ok' },
    {
      name: 'mail-login',
      level: 'warn',
      fix: expect.stringContaining('Put user and password into SMTP_URL'),
    },
    { name: 'mail-sends', level: 'skip' },
  ]);
});

it('mail-sends sends one mail to the address that is given, and fails where the server does not take it', async () => {
  const taking = await startMailServer();
  expect(await levelsWith(taking.url, 'ada@example.com')).toMatchObject([{}, {}, { level: 'ok' }]);
  expect(taking.mails).toMatchObject([{ to: ['ada@example.com'] }]);
  await taking.stop();
  mail = await serveMail('open sesame');
  expect(await levelsWith(`smtp://127.0.0.1:${mail.port}`, 'ada@example.com')).toMatchObject([
    { level: 'ok' },
    { level: 'warn' },
    { name: 'mail-sends', level: 'fail', fix: expect.stringContaining('it wants a login') },
  ]);
});

it('a domain without records is a warning each, with what to do, and nothing where DNS does not know it', async () => {
  const ofDomain = async (dns?: Dns) => (await resultsWith('smtp://mail.test', null, dns)).slice(-4);
  const names = ['mail-spf', 'mail-dkim', 'mail-dmarc', 'mail-ptr'];
  expect(await ofDomain()).toMatchObject(names.map((name) => ({ name, level: 'skip' })));
  const bare: Dns = {
    ...noDns,
    resolveTxt: (name) => (name === 'example.com' ? Promise.resolve([['site=1']]) : notFound()),
  };
  expect(await ofDomain(bare)).toMatchObject([
    { level: 'warn', fix: expect.stringContaining('v=spf1') },
    { level: 'warn', fix: expect.stringContaining('DKIM') },
    { level: 'warn', fix: expect.stringContaining('v=DMARC1') },
    { level: 'skip' },
  ]);
});
