import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseConfig } from '../../bff/config.ts';
import { ok, runChecks } from '../../bff/core/operator/check.ts';
import { mailChecks } from '../../bff/extras/mails/checks.ts';
import { type Dovecot, hasDovecot, startDovecot } from '../../scripts/dovecot.ts';
import { startMailServer } from '../../scripts/mail-server.ts';

let dovecot: Dovecot;
let smtp: Awaited<ReturnType<typeof startMailServer>>;

beforeAll(async () => {
  if (hasDovecot()) dovecot = await startDovecot();
  smtp = await startMailServer();
});
afterAll(async () => {
  await dovecot?.stop();
  await smtp.stop();
});

/** What `deskside check --mail` says of the mail to the address for answers, where `isDelivered` says who gets it. */
async function checkWhere(isDelivered: (to: string) => boolean) {
  const { url, deliver } = dovecot.mailbox('support@shop.test');
  smtp.answers.onTaken = async () => {
    const { to, text } = smtp.mails.at(-1)!;
    if (isDelivered(to[0]!)) await deliver(text);
  };
  const env = {
    SUPPORT_API_URL: 'https://tickets.test',
    SUPPORT_API_KEY: 'key',
    ALLOWED_ORIGINS: 'https://shop.test',
    SMTP_URL: smtp.url,
    MAIL_FROM: 'Acme <support@shop.test>',
    MAIL_REPLY_TO: 'support+{token}@shop.test',
    MAIL_IN: url,
  };
  const checks = mailChecks({
    env,
    config: () => parseConfig(env),
    now: Date.now,
    patienceMs: 500,
    mailTo: 'ada@example.com',
    site: null,
    build: { version: '', widgetDir: '' },
  });
  const configuration = { name: 'configuration', needs: [], fix: '', run: () => ok('valid') };
  return (await runChecks([configuration, ...checks])).find(({ name }) => name === 'mail-returns');
}

describe.skipIf(!hasDovecot())('deskside check --mail', () => {
  it('passes when a mail with another text in place of {token} comes into the mailbox', async () => {
    const result = await checkWhere((to) => /^support\+[a-z2-7]{32}@shop\.test$/.test(to));
    expect(result).toMatchObject({ level: 'ok' });
  });

  it('fails with what to look for when only mails without a suffix are delivered', async () => {
    const result = await checkWhere((to) => to === 'support@shop.test');
    expect(result).toMatchObject({ level: 'fail', fix: expect.stringContaining('{token}') });
  });
});
