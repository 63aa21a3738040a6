import { type DovecotMailbox, startDovecot } from '../../scripts/dovecot.ts';
import { startMailServer, type TestMailServer } from '../../scripts/mail-server.ts';
import { test } from './fixtures.ts';
import { type Stack, startStack } from './stack.ts';

/** Tests against a BFF that sends mails, with these settings beside, to a mail server of their own. */
export const testWithMail = (settings: Record<string, string>) =>
  test.extend<object, { stack: Stack; mail: TestMailServer }>({
    mail: [
      // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs from this pattern
      async ({}, use) => {
        const mail = await startMailServer();
        await use(mail);
        await mail.stop();
      },
      { scope: 'worker' },
    ],
    stack: [
      async ({ mail }, use) => {
        const stack = await startStack({
          SMTP_URL: mail.url,
          MAIL_FROM: 'support@shop.example',
          ...settings,
        });
        await use(stack);
        await stack.stop();
      },
      { scope: 'worker' },
    ],
  });

/** The same, and answers to these mails come to a mailbox of Dovecot. */
export const testWithMailbox = (settings: Record<string, string>) =>
  testWithMail({}).extend<object, { stack: Stack; mailbox: DovecotMailbox }>({
    mailbox: [
      // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs from this pattern
      async ({}, use) => {
        const dovecot = await startDovecot();
        await use(dovecot.mailbox('support@shop.example'));
        await dovecot.stop();
      },
      { scope: 'worker' },
    ],
    stack: [
      async ({ mail, mailbox }, use) => {
        const stack = await startStack({
          SMTP_URL: mail.url,
          MAIL_FROM: 'Shop <support@shop.example>',
          MAIL_IN: mailbox.url,
          ...settings,
        });
        await use(stack);
        await stack.stop();
      },
      { scope: 'worker' },
    ],
  });
