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
