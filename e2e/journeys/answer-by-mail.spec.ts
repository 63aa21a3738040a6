import { hasDovecot } from '../../scripts/dovecot.ts';
import { readMail } from '../../scripts/read-mail.ts';
import { expect, newEmail } from '../support/fixtures.ts';
import { identitySecret } from '../support/host-site.ts';
import { answerTo, mailPrograms } from '../support/mail-programs.ts';
import { testWithMailbox } from '../support/mailing.ts';

const test = testWithMailbox({
  NOTIFY_EMAIL: 'on',
  NOTIFY_AFTER_MS: '1000',
  IDENTITY_SECRET: identitySecret,
});
test.skip(!hasDovecot());

test('an answer to a mail, as eight mail programs write it, is in the open panel and at the desk within ten seconds', async ({
  page,
  stack,
  mail,
  mailbox,
  widget,
  desk,
}) => {
  const email = newEmail();
  const subject = `Pump ${crypto.randomUUID().slice(0, 8)}`;
  await page.goto(`${stack.host.origin}/signed-in?email=${encodeURIComponent(email)}`);
  await widget.open();
  await widget.subject.fill(subject);
  await widget.description.fill('It leaks.');
  await widget.app.getByRole('checkbox', { name: 'Tell me by mail when there’s a reply' }).check();
  await widget.send.click();
  await widget.conversation.getByText('Sent', { exact: true }).waitFor();
  await widget.launcher.click();
  await desk.openTicket(subject);
  await desk.answer('Where does it leak?');
  const sent = () => mail.mails.find(({ to }) => to.includes(email));
  await expect.poll(sent, { timeout: 30_000 }).toBeDefined();

  await widget.launcher.click();
  await expect(widget.conversation.getByText('Where does it leak?')).toBeVisible();
  const programs = Object.keys(mailPrograms);
  for (const [n, program] of programs.entries()) {
    const words = `At the lid, says ${program}.`;
    await mailbox.deliver(await answerTo(readMail(sent()!), program, { from: `Ada <${email}>`, words }));
    await expect(widget.conversation).toContainText(words, { timeout: 10_000 });
    await expect(widget.conversation.getByText('By email')).toHaveCount(n + 1);
  }
  // Nobody's words but the new ones.
  await expect(widget.conversation.getByText('Where does it leak?')).toHaveCount(1);
  await desk.openTicket(subject);
  for (const program of programs)
    await expect(desk.conversation.getByText(`At the lid, says ${program}.`)).toHaveCount(1);
  await expect(desk.conversation.getByText(`By mail from ${email}`).first()).toBeVisible();
});
