import { expect, newEmail, test } from '../support/fixtures.ts';
import { Widget } from '../support/pages/widget.ts';

test('a ticket is opened, answered at the desk, seen without a reload, and replied to', async ({
  page,
  stack,
  widget,
  desk,
}, info) => {
  await page.goto(stack.host.origin);
  await widget.open();
  const subject = `The lid is chipped ${crypto.randomUUID().slice(0, 8)}`;
  await widget.openTicket({
    name: 'Ada',
    email: newEmail(),
    subject,
    description: 'It came like this.\nWhat now?',
  });
  await expect(widget.conversation.getByText('Sent', { exact: true })).toBeVisible();

  await desk.openTicket(subject);
  await expect(desk.page.getByText('Email not verified')).toBeVisible();
  await desk.note('Only we read this');
  await desk.answer('We are sorry: a new lid is on its way.');
  const answeredAt = Date.now();
  await expect(widget.conversation.getByText('a new lid is on its way')).toBeVisible();
  info.annotations.push({ type: 'answer on screen after', description: `${Date.now() - answeredAt} ms` });
  await expect(widget.conversation.getByText('Only we read this')).toHaveCount(0);

  await widget.answer('Thank you, that was quick!');
  await expect(widget.conversation.getByText('Thank you, that was quick!')).toBeVisible();
  await expect(widget.reply).toHaveValue('');
  await desk.openTicket(subject);
  await expect(desk.page.getByText('Thank you, that was quick!')).toHaveCount(1);
});

test('the list shows opened tickets with unread answers, and opens the thread again', async ({
  page,
  stack,
  widget,
  desk,
}) => {
  await page.goto(stack.host.origin);
  await widget.open();
  const subject = `Two cups ${crypto.randomUUID().slice(0, 8)}`;
  await widget.openTicket({ email: newEmail(), subject, description: 'Are they in stock?' });
  await widget.back.click();
  await expect(widget.tickets.getByText(subject)).toBeVisible();
  await desk.openTicket(subject);
  await desk.answer('Yes, both.');
  await expect(widget.tickets.getByText('Yes, both.')).toBeVisible();
  await expect(widget.tickets.getByText(/1 (new|unread)/i)).toBeVisible();
  await widget.tickets.getByText(subject).click();
  await expect(widget.conversation.getByText('Yes, both.')).toBeVisible();
  await widget.back.click();
  await expect(widget.tickets.getByText(/1 (new|unread)/i)).toHaveCount(0);
  await widget.tickets.getByText(subject).click();
  await widget.answer('Then both, please.');
  await expect(widget.conversation.getByText('Sent', { exact: true })).toBeVisible();
  await widget.back.click();
  await expect(widget.tickets.getByText('Then both, please.')).toBeVisible();
});

test('the app works as a full page of the BFF', async ({ page, stack, desk }) => {
  const full = new Widget(page, true);
  await page.goto(stack.bffUrl);
  const subject = `Full page ${crypto.randomUUID().slice(0, 8)}`;
  await full.openTicket({ email: newEmail(), subject, description: 'Without any shop around.' });
  await desk.openTicket(subject);
  await desk.answer('Works here too.');
  await expect(full.conversation.getByText('Works here too.')).toBeVisible();
  await page.reload();
  await expect(page.getByText(subject)).toBeVisible();
});

test('a ticket merged at the desk takes no reply in any window, and its text is kept for a new one', async ({
  context,
  page,
  stack,
  widget,
  desk,
}) => {
  await page.goto(stack.host.origin);
  await widget.open();
  const [first, second] = [
    `First ${crypto.randomUUID().slice(0, 8)}`,
    `Second ${crypto.randomUUID().slice(0, 8)}`,
  ];
  await widget.openTicket({ email: newEmail(), subject: first, description: 'One.' });
  const number = (await widget.app.getByText(/#\d+/).first().textContent())!.match(/#(\d+)/)![1]!;
  await widget.back.click();
  await widget.app.getByRole('button', { name: 'New ticket' }).click();
  await widget.openTicket({ email: newEmail(), subject: second, description: 'Two.' });
  const other = new Widget(await context.newPage());
  await other.page.goto(stack.host.origin);
  await other.openConversation(second);
  await other.reply.fill('Are you still there?');
  await expect(widget.reply).toHaveValue('Are you still there?');
  await desk.openTicket(second);
  await desk.mergeInto(number);
  await widget.sendReply.click();
  for (const { app, reply } of [widget, other]) {
    await expect(app.getByRole('heading', { name: 'This ticket was merged into another' })).toBeVisible();
    await expect(reply).toHaveCount(0);
  }
  for (const { app, description } of [other, widget]) {
    await app.getByRole('button', { name: 'Start a new ticket' }).click();
    await expect(description).toHaveValue('Are you still there?');
  }
});
