import { hasDovecot } from '../../scripts/dovecot.ts';
import { hasPostfix } from '../../scripts/postfix.ts';
import { readMail } from '../../scripts/read-mail.ts';
import { expect, newEmail } from '../support/fixtures.ts';
import { identitySecret } from '../../scripts/identity-token.ts';
import { answerTo, mailPrograms } from '../support/mail-programs.ts';
import { testWithMailServers } from '../support/mailing.ts';

const test = testWithMailServers({
  NOTIFY_EMAIL: 'on',
  NOTIFY_AFTER_MS: '1000',
  IDENTITY_SECRET: identitySecret,
});
test.skip(!hasDovecot() || !hasPostfix());

test('an answer to a mail, as four kinds of mail programs write it, is in the open panel and at the desk within ten seconds', async ({
  page,
  stack,
  dovecot,
  postfix,
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
  const mailbox = dovecot.mailbox(email);
  await expect.poll(mailbox.mails, { timeout: 30_000 }).toHaveLength(1);
  const [text] = await mailbox.mails();
  const mail = await readMail({ to: [email], text: text! });

  await widget.launcher.click();
  await expect(widget.conversation.getByText('Where does it leak?')).toBeVisible();
  const programs = Object.keys(mailPrograms);
  for (const [n, program] of programs.entries()) {
    const words = `At the lid, says ${program}.`;
    const answer = await answerTo(mail, program, { from: `Ada <${email}>`, words });
    await postfix.send(answer, { from: email, to: mail.header('Reply-To')! });
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
