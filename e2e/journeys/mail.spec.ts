import { accessibilityFaults, expect, newEmail } from '../support/fixtures.ts';
import { testWithMail } from '../support/mailing.ts';
import { Widget } from '../support/pages/widget.ts';

const test = testWithMail({
  NOTIFY_EMAIL: 'on',
  NOTIFY_AFTER_MS: '1000',
  REPLY_TIME: '2 hours',
  BRAND_COLOR: 'a8482a',
});

test('an unread answer is announced by mail without its text, and the link opens the ticket on another device after a code', async ({
  browser,
  page,
  stack,
  mail,
  widget,
  desk,
}) => {
  const email = newEmail();
  const subject = `Mailed ${crypto.randomUUID().slice(0, 8)}`;
  await page.goto(stack.host.origin);
  await widget.open();
  const replyTime = widget.app.getByText('Usually replies in 2 hours').first();
  await expect(replyTime).toBeVisible();
  await widget.write({ email, subject, description: 'Where is it?' });
  await widget.app.getByRole('checkbox', { name: 'Tell me by mail when there’s a reply' }).check();
  expect(await accessibilityFaults(page)).toEqual([]);
  await widget.send.click();
  await widget.conversation.getByText('Sent', { exact: true }).waitFor();
  await expect(replyTime).toBeVisible();
  await widget.launcher.click();
  await desk.openTicket(subject);
  await desk.answer('It left yesterday.');

  const sent = () => mail.mails.filter(({ to }) => to.includes(email));
  await expect.poll(() => sent().length, { timeout: 30_000 }).toBe(1);
  // Quoted-printable: a long line goes on after "=", and "=3D" is the sign itself.
  const text = sent()[0]!
    .text.replaceAll(/=\r?\n/g, '')
    .replaceAll('=3D', '=');
  expect(text).not.toContain('It left yesterday.');
  const link = /http\S+\?ticket=[\w-]+/.exec(text)![0];
  await page.close();

  const context = await browser.newContext();
  const first = await context.newPage();
  await first.route('**/assets/**', (route) => route.abort());
  await first.goto(stack.bffUrl);
  // Painted before any script is loaded.
  expect(await first.evaluate(() => document.documentElement.style.getPropertyValue('--accent'))).toBe(
    '#a8482a',
  );
  await first.close();
  const elsewhere = new Widget(await context.newPage(), true);
  await elsewhere.page.goto(link);
  await elsewhere.app.getByText('Enter the email address you wrote with.').waitFor();
  expect(await accessibilityFaults(elsewhere.page)).toEqual([]);
  await expect(elsewhere.page.getByRole('link', { name: /^Back to / })).toHaveAttribute(
    'href',
    stack.host.origin,
  );
  await elsewhere.email.fill(email);
  await elsewhere.app.getByRole('button', { name: 'Send me a code' }).click();
  const code = elsewhere.app.getByLabel('Code', { exact: true });
  await code.waitFor();
  // As a phone may do it during a look at the mail.
  await elsewhere.page.reload();
  await code.fill(mail.codeFor(email));
  await elsewhere.app.getByRole('button', { name: 'Open here' }).click();
  await expect(elsewhere.conversation.getByText('It left yesterday.')).toBeVisible();
  await context.close();
});
