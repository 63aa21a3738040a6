import { expect, newEmail, test } from '../support/fixtures.ts';
import { Widget } from '../support/pages/widget.ts';
import { startStack } from '../support/stack.ts';

const ticket = (subject: string) => ({ email: newEmail(), subject, description: 'It is chipped.' });

test('a proof of work is solved in a worker, without the customer and without third parties [overload-9]', async ({
  page,
}) => {
  const stack = await startStack({ POW: 'on' });
  try {
    const faults: string[] = [];
    const requests: string[] = [];
    page.on('console', (message) => {
      if (/Content Security Policy|Trusted/i.test(message.text())) faults.push(message.text());
    });
    page.on('request', (request) => requests.push(request.url()));
    const worker = page.waitForEvent('worker');
    const widget = new Widget(page);
    await page.goto(`${stack.host.origin}/strict`);
    await widget.open();
    await widget.openTicket(ticket('Proven'));
    expect((await worker).url()).toBe(`${stack.bffUrl}/proof-worker.js`);
    expect(faults).toEqual([]);
    const own = new Set([stack.host.origin, stack.bffUrl]);
    expect(requests.filter((url) => !own.has(new URL(url).origin) && !url.startsWith('data:'))).toEqual([]);
  } finally {
    await stack.stop();
  }
});

test('a customer who sends too much sees how long to wait, and keeps the text', async ({ page }) => {
  const stack = await startStack({
    LIMIT_TICKETS_PER_SESSION: '1',
    LIMIT_MESSAGES_PER_SESSION: '1',
    POW: 'off',
  });
  try {
    const widget = new Widget(page);
    await page.goto(stack.host.origin);
    await widget.open();
    await widget.openTicket(ticket('The first'));
    await widget.answer('One');
    await expect(widget.reply).toHaveValue('');
    await widget.answer('Two');
    await expect(widget.conversation.getByText('Two', { exact: true })).toBeVisible();
    await expect(widget.conversation.getByText(/You can send again in (\d+ seconds|1 minute)/)).toBeVisible();
    await page.reload();
    await widget.open();
    await widget.tickets.getByText('The first').click();
    await expect(widget.conversation.getByText('Two', { exact: true })).toBeVisible();
    // The first ticket had no session yet: this is the first that counts, the next one is too many.
    await widget.back.click();
    for (const subject of ['The second', 'The third']) {
      await widget.app.getByRole('button', { name: 'New ticket' }).click();
      await widget.write(ticket(subject));
      await widget.send.click();
      await expect(widget.conversation.getByText('It is chipped.')).toBeVisible();
      if (subject === 'The third')
        await expect(widget.conversation.getByText(/You can send again in \d+ minutes/)).toBeVisible();
      await widget.back.click();
    }
    await expect(widget.tickets.getByText('The third')).toBeVisible();
  } finally {
    await stack.stop();
  }
});
