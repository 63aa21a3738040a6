import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../bff/config.ts';
import { ok, runChecks } from '../../bff/core/operator/check.ts';
import { mailChecks } from '../../bff/extras/mails/checks.ts';
import { hasBoth, startBoth, startedBefore } from './servers.ts';

const servers = startedBefore(hasBoth, startBoth);

/** What `deskside check --mail` says of the mail to the address for answers, which comes into the mailbox of `support`. */
async function checkWith(replyTo: string, patienceMs: number) {
  const env = {
    SUPPORT_API_URL: 'https://tickets.test',
    SUPPORT_API_KEY: 'key',
    ALLOWED_ORIGINS: 'https://shop.test',
    SMTP_URL: servers.postfix.url,
    MAIL_FROM: 'Acme <support@shop.test>',
    MAIL_REPLY_TO: replyTo,
    MAIL_IN: servers.dovecot.mailbox('support@shop.test').url,
  };
  const checks = mailChecks({
    env,
    config: () => parseConfig(env),
    now: Date.now,
    patienceMs,
    mailTo: 'ada@example.com',
    site: null,
    build: { version: '', widgetDir: '' },
  });
  const configuration = { name: 'configuration', needs: [], fix: '', run: () => ok('valid') };
  return (await runChecks([configuration, ...checks])).find(({ name }) => name === 'mail-returns');
}

describe.skipIf(!hasBoth)('deskside check --mail', () => {
  it('passes when a mail with another text in place of {token} comes into the mailbox', async () => {
    expect(await checkWith('support+{token}@shop.test', 20_000)).toMatchObject({ level: 'ok' });
  });

  it('fails with what to look for when such a mail comes into another mailbox', async () => {
    const result = await checkWith('answers+{token}@shop.test', 500);
    expect(result).toMatchObject({ level: 'fail', fix: expect.stringContaining('{token}') });
  });
});
