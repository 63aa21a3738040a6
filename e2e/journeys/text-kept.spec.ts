import { expect, newEmail, test } from '../support/fixtures.ts';
import { Widget } from '../support/pages/widget.ts';

test('a half-written ticket survives a reload', async ({ page, stack, widget }) => {
  await page.goto(stack.host.origin);
  await widget.open();
  const email = newEmail();
  await widget.write({ name: 'Ada', email, subject: 'Half', description: 'I was about to say' });
  await expect
    .poll(() =>
      page
        .frames()
        .at(-1)!
        .evaluate(() => JSON.stringify(localStorage)),
    )
    .toContain('about to say');
  await page.reload();
  await widget.open();
  await expect(widget.email).toHaveValue(email);
  await expect(widget.subject).toHaveValue('Half');
  await expect(widget.description).toHaveValue('I was about to say');
});

test('a tab that was open before the first ticket shows what another tab sent', async ({
  context,
  stack,
}) => {
  const [first, second] = [await context.newPage(), await context.newPage()];
  const [sender, watcher] = [new Widget(first), new Widget(second)];
  for (const [page, widget] of [
    [first, sender],
    [second, watcher],
  ] as const) {
    await page.goto(stack.host.origin);
    await widget.open();
  }
  const subject = `Two tabs ${crypto.randomUUID().slice(0, 8)}`;
  await first.bringToFront();
  await sender.openTicket({ email: newEmail(), subject, description: 'From the first.' });
  await second.bringToFront();
  await watcher.tickets.getByText(subject).click();
  await watcher.answer('From the second.');
  await expect(watcher.conversation.getByText('Sent', { exact: true })).toBeVisible();
  await first.bringToFront();
  await expect(sender.conversation.getByText('From the second.')).toBeVisible();
});
