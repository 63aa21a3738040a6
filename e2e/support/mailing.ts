import { type Dovecot, startDovecot } from '../../scripts/dovecot.ts';
import { startMailServer, type TestMailServer } from '../../scripts/mail-server.ts';
import { type Postfix, startPostfix } from '../../scripts/postfix.ts';
import { started, test } from './fixtures.ts';
import { type Stack, startStack } from './stack.ts';

/** Tests against a BFF that sends mails, with these settings beside, to a mail server of their own. */
export const testWithMail = (settings: Record<string, string>) =>
  test.extend<object, { stack: Stack; mail: TestMailServer }>({
    mail: [started(startMailServer), { scope: 'worker' }],
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

/**
 * The same with real servers: Postfix delivers its mails, and the answers to them, into mailboxes of Dovecot, of which it
 * reads one.
 */
export const testWithMailServers = (settings: Record<string, string>) =>
  test.extend<object, { stack: Stack; dovecot: Dovecot; postfix: Postfix }>({
    dovecot: [started(startDovecot), { scope: 'worker' }],
    postfix: [
      async ({ dovecot }, use) => {
        const postfix = await startPostfix(dovecot.ports.lmtp);
        await use(postfix);
        await postfix.stop();
      },
      { scope: 'worker' },
    ],
    stack: [
      async ({ dovecot, postfix }, use) => {
        const stack = await startStack({
          SMTP_URL: postfix.url,
          MAIL_FROM: 'Shop <support@shop.example>',
          MAIL_REPLY_TO: 'support+{token}@shop.example',
          MAIL_IN: dovecot.mailbox('support@shop.example').url,
          ...settings,
        });
        await use(stack);
        await stack.stop();
      },
      { scope: 'worker' },
    ],
  });
