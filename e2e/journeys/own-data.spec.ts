import { readFile } from 'node:fs/promises';
import { accessibilityFaults, expect, newEmail, testWithIdentity as test } from '../support/fixtures.ts';
import { Widget } from '../support/pages/widget.ts';

test('a customer downloads the data stored about them, and deletes it', async ({ page, stack }) => {
  const subject = `Cup ${crypto.randomUUID().slice(0, 8)}`;
  await page.goto(`${stack.host.origin}/signed-in?email=${encodeURIComponent(newEmail())}`);
  const widget = new Widget(page);
  await widget.open();
  await widget.app.getByLabel('Subject').fill(subject);
  await widget.description.fill('It is chipped.');
  await widget.send.click();
  await expect(widget.conversation.getByText('Sent', { exact: true })).toBeVisible();
  await widget.app.getByRole('button', { name: 'Back to your tickets' }).click();
  await widget.choose('Your data and devices');
  await expect(widget.app.getByText('This device')).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);

  const downloading = page.waitForEvent('download');
  await widget.app.getByRole('button', { name: 'Download my data' }).click();
  const file = await (await downloading).path();
  const data = JSON.parse(await readFile(file, 'utf8')) as { tickets: { subject: string }[] };
  expect(data.tickets.map((ticket) => ticket.subject)).toEqual([subject]);

  await widget.app.getByRole('button', { name: 'Delete my data' }).click();
  expect(await accessibilityFaults(page)).toEqual([]);
  await widget.app.getByRole('button', { name: 'Delete now' }).click();
  await expect(widget.description).toBeVisible();
  await page.reload();
  await widget.open();
  await expect(widget.description).toBeVisible();
  await expect(widget.app.getByText(subject)).toHaveCount(0);
});
