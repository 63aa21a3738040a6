import { accessibilityFaults, expect, newEmail, test } from '../support/fixtures.ts';
import { frameOf, ticketsAtService } from '../support/at-service.ts';
import type { Stack } from '../support/stack.ts';

/** The lines for agents with the files of the one ticket of this subject. */
async function fileLines(stack: Stack, subject: string): Promise<string[]> {
  const tickets = await ticketsAtService(stack, subject);
  expect(tickets.length).toBe(1);
  return tickets[0]!.description.split('\n').filter((line) => line.startsWith('File: '));
}

test('a picture is pasted, the message sent while it is uploaded, and the agent’s link opens', async ({
  page,
  stack,
  widget,
}) => {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(/\/api\/files$/, async (route) => {
    await held;
    await route.continue();
  });
  const subject = `A crack ${crypto.randomUUID()}`;
  await page.goto(stack.host.origin);
  await widget.open();
  await widget.app.getByRole('button', { name: 'Attach files' }).waitFor();
  await widget.write({ email: newEmail(), subject, description: 'It arrived like this' });
  await frameOf(widget).evaluate(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 60, height: 40 });
    canvas.getContext('2d')!.fillRect(0, 0, 60, 40);
    const picture = await new Promise<Blob | null>((resolve) => {
      canvas.toBlob(resolve);
    });
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([picture!], 'image.png', { type: 'image/png' }));
    const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.querySelector('textarea')!.dispatchEvent(paste);
  });
  await expect(widget.app.getByRole('list', { name: 'Attached files' }).getByText('image.png')).toHaveCount(
    2,
  );
  expect(await accessibilityFaults(page)).toEqual([]);
  await widget.send.click();
  await expect(widget.conversation.getByText('Waiting for 1 file…')).toBeVisible();
  letGo();
  await widget.conversation.getByText('Sent', { exact: true }).waitFor();
  const [line, ...others] = await fileLines(stack, subject);
  expect([line, others]).toEqual([expect.stringMatching(/^File: image\.png, .*60 × 40, http/), []]);
  const answer = await fetch(/http\S+$/.exec(line!)![0]);
  expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'image/png']);
});

test('a draft has its file after a reload; sent offline, both arrive once', async ({
  page,
  stack,
  widget,
  context,
}) => {
  const subject = `An invoice ${crypto.randomUUID()}`;
  const text = { email: newEmail(), subject, description: 'Is this right?' };
  await page.goto(stack.host.origin);
  await widget.open();
  await widget.write(text);
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    widget.app.getByRole('button', { name: 'Attach files' }).click(),
  ]);
  await context.setOffline(true);
  await chooser.setFiles({ name: 'invoice.txt', mimeType: 'text/plain', buffer: Buffer.from('Total: 12') });
  await widget.app.getByText('Not uploaded yet.').waitFor();
  await context.setOffline(false);
  await page.reload();
  await widget.open();
  await expect(widget.app.getByRole('button', { name: 'Remove invoice.txt' })).toBeVisible();
  await context.setOffline(true);
  await widget.send.click();
  await widget.conversation.waitFor();
  await context.setOffline(false);
  await widget.conversation.getByText('Sent', { exact: true }).waitFor({ timeout: 25_000 });
  expect(await fileLines(stack, subject)).toEqual([expect.stringMatching(/^File: invoice\.txt, .*http/)]);
});
