import { paths } from '../../shared/contract/paths.ts';
import { expect, newEmail, test } from '../support/fixtures.ts';
import { Widget } from '../support/pages/widget.ts';
import { startStack } from '../support/stack.ts';

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

test('errors are shown at their fields, and nothing is cleared or sent', async ({ page, stack, widget }) => {
  await page.goto(stack.host.origin);
  await widget.open();
  const writes: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && writes.push(request.url()));
  await widget.write({ email: 'not an address', subject: 'x'.repeat(301), description: 'Kept.' });
  await widget.send.click();
  await expect(widget.email).toHaveAttribute('aria-invalid', 'true');
  await expect(widget.subject).toHaveAttribute('aria-invalid', 'true');
  await expect(widget.email).toHaveAccessibleDescription(/.+/);
  await expect(widget.description).toHaveValue('Kept.');
  expect(writes).toEqual([]);
});

test('a message sent offline is kept over a reload, and sent once when the network is back', async ({
  page,
  stack,
  widget,
  desk,
  context,
}) => {
  await page.goto(stack.host.origin);
  await widget.open();
  const subject = `Offline ${crypto.randomUUID().slice(0, 8)}`;
  await widget.openTicket({ email: newEmail(), subject, description: 'Online first.' });
  await context.route(`**${paths.tickets}/*/messages`, (route) => route.abort('connectionfailed'));
  await widget.answer('Sent into the void');
  await expect(widget.conversation.getByText('Sent into the void')).toBeVisible();
  await expect(widget.conversation.getByText(/Waiting to be delivered|Sending…/)).toBeVisible();
  await page.reload();
  await widget.open();
  await widget.tickets.getByText(subject).click();
  await expect(widget.conversation.getByText('Sent into the void')).toBeVisible();
  await context.unroute(`**${paths.tickets}/*/messages`);
  await expect(widget.conversation.getByText(/Waiting to be delivered|Sending…/)).toHaveCount(0, {
    timeout: 30_000,
  });
  await desk.openTicket(subject);
  await expect(desk.page.getByText('Sent into the void')).toHaveCount(1);
});

test('while the ticket service is down a ticket waits, also over a restart of the BFF, and arrives once', async ({
  page,
  browser,
}) => {
  const stack = await startStack();
  try {
    const widget = new Widget(page);
    await page.goto(stack.host.origin);
    await stack.service.stop();
    await widget.open();
    await widget.write({ email: newEmail(), subject: 'While you were away', description: 'Patience.' });
    await widget.send.click();
    await expect(widget.app.getByText('Waiting to be delivered').first()).toBeVisible({ timeout: 15_000 });
    await stack.bff.stop();
    await stack.restartBff();
    await stack.restartService();
    await expect(widget.app.getByText('Waiting to be delivered')).toHaveCount(0, { timeout: 30_000 });
    const api = await browser.newContext();
    const list = await api.request.get(`${stack.serviceUrl}/api/v1/tickets`, {
      headers: { Authorization: `Bearer ${stack.workspace.api_key}` },
    });
    expect((await list.json()).data.map(({ subject }: { subject: string }) => subject)).toEqual([
      'While you were away',
    ]);
    await api.close();
  } finally {
    await stack.stop();
  }
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

test('a double click sends once', async ({ page, stack, widget, desk }) => {
  await page.goto(stack.host.origin);
  await widget.open();
  const subject = `Twice ${crypto.randomUUID().slice(0, 8)}`;
  await widget.write({ email: newEmail(), subject, description: 'Click, click.' });
  await widget.send.dblclick();
  await widget.conversation.getByText('Click, click.').waitFor();
  await widget.reply.fill('And again');
  await widget.sendReply.dblclick();
  await expect(widget.conversation.getByText('And again')).toHaveCount(1);
  await desk.page.goto(`${stack.serviceUrl}/desk`);
  await expect(desk.page.getByRole('link', { name: subject })).toHaveCount(1);
  await desk.openTicket(subject);
  await expect(desk.page.getByText('And again', { exact: true })).toHaveCount(1);
});
