import { Buffer } from 'node:buffer';
import { accessibilityFaults, expect, newEmail, testWith } from '../support/fixtures.ts';
import { Widget } from '../support/pages/widget.ts';

const test = testWith({ FILES: 'on' });

/** A picture of 2 × 1 pixels. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAD0lEQVR4nGPgzo49YaMBAAbMAgA5eCUQAAAAAElFTkSuQmCC',
  'base64',
);

test('an agent attaches a picture at the desk, which the customer opens and closes by keyboard', async ({
  page,
  stack,
  desk,
}) => {
  const widget = new Widget(page, true);
  const subject = `Picture ${crypto.randomUUID().slice(0, 8)}`;
  await page.goto(stack.bffUrl);
  await widget.openTicket({ email: newEmail(), subject, description: 'Which lid is mine?' });
  await desk.openTicket(subject);
  const chooser = desk.page.waitForEvent('filechooser');
  await desk.page.getByRole('button', { name: 'Attach files' }).click();
  await (await chooser).setFiles({ name: 'lid.png', mimeType: 'image/png', buffer: png });
  await expect(desk.page.getByRole('textbox', { name: 'Answer' })).toHaveValue(/^File: lid\.png, .* 2 × 1, /);
  await desk.page.getByRole('button', { name: 'Send answer' }).click();
  await expect(desk.conversation.getByRole('img', { name: 'lid.png' })).toHaveJSProperty('naturalWidth', 2);

  const picture = widget.conversation.getByRole('button', { name: 'lid.png' });
  await expect(picture.getByRole('img')).toHaveJSProperty('naturalWidth', 2);
  expect(await accessibilityFaults(page)).toEqual([]);
  await picture.press('Enter');
  const viewer = page.getByRole('dialog', { name: 'lid.png' });
  await expect(viewer.getByRole('img')).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(viewer).toHaveCount(0);
  await expect(picture).toBeFocused();
});
