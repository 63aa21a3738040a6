import { fileURLToPath } from 'node:url';
import { accessibilityFaults, expect, newEmail, testWith } from '../support/fixtures.ts';
import { delayScripts } from '../support/delay-scripts.ts';
import type { Widget } from '../support/pages/widget.ts';

const test = testWith({ FORM_FILE: fileURLToPath(new URL('../support/form.json', import.meta.url)) });

const topic = ({ app }: Widget, name: string) => app.getByRole('radio', { name });
const orderNumber = ({ app }: Widget) => app.getByLabel('Order number');
const consent = ({ app }: Widget) => app.getByRole('checkbox', { name: /I agree/ });

test('answers are asked for by topic, survive a reload, and reach the agent beside the text', async ({
  page,
  stack,
  widget,
  desk,
}) => {
  const description = `Where is my tea? ${crypto.randomUUID().slice(0, 8)}`;
  await page.goto(stack.host.origin);
  await widget.open();
  await topic(widget, 'My order').check();
  await expect(widget.app.getByText('Tell us the order number.')).toBeVisible();
  await widget.write({ email: newEmail(), subject: description, description });
  await orderNumber(widget).fill('17');
  await widget.send.click();
  const summary = widget.app.getByRole('group', { name: 'Please fix the following' });
  await summary.getByRole('button', { name: 'Order number' }).click();
  await expect(orderNumber(widget)).toBeFocused();
  await expect(orderNumber(widget)).toHaveAccessibleDescription(/Please check “Order number”/);
  expect(await accessibilityFaults(page)).toEqual([]);

  await orderNumber(widget).fill('AB-123456');
  await widget.app.getByLabel('Shop').selectOption('Berlin');
  await consent(widget).check();
  const stored = () =>
    page
      .frames()
      .at(-1)!
      .evaluate(() => localStorage.getItem('deskside:v1:draft:new'));
  await expect.poll(stored).toMatch(/AB-123456.+consent.+true/);
  await page.reload();
  await widget.open();
  await expect(topic(widget, 'My order')).toBeChecked();
  await expect(orderNumber(widget)).toHaveValue('AB-123456');
  await expect(consent(widget)).toBeChecked();
  await widget.send.click();
  await widget.conversation.getByText('Sent', { exact: true }).waitFor();

  await desk.openTicket(description);
  for (const answer of ['My order', 'AB-123456', 'Berlin', /[\da-f]{16} at/])
    await expect(desk.about.getByText(answer)).toBeVisible();
  await desk.answer('It left yesterday.');
  await widget.conversation.getByText('It left yesterday.').waitFor();
  await expect(widget.conversation.getByText(description)).toBeVisible();
  await expect(widget.conversation.getByText('AB-123456')).toHaveCount(0);
  await page.reload();
  await widget.openConversation(description);
  await widget.conversation.getByText('It left yesterday.').waitFor();
  await expect(widget.conversation.getByText('AB-123456')).toHaveCount(0);
});

test('topics are chosen by keys as other radio buttons, and a page fills in what was not answered', async ({
  page,
  stack,
  widget,
}) => {
  await page.goto(`${stack.host.origin}/?lang=de`);
  await page.evaluate(() =>
    window.Deskside!('prefill', { topic: 'order', fields: { 'order-number': 'AB-123456' } }),
  );
  await page.getByRole('button', { name: /support/i }).click();
  await expect(topic(widget, 'Meine Bestellung')).toBeChecked();
  await expect(widget.app.getByLabel('Bestellnummer')).toHaveValue('AB-123456');
  await topic(widget, 'Meine Bestellung').focus();
  await page.keyboard.press('ArrowRight');
  await expect(topic(widget, 'Etwas anderes')).toBeChecked();
  await expect(widget.app.getByLabel('Bestellnummer')).toHaveCount(0);
  const { height } = (await widget.app.locator('.topic').first().boundingBox())!;
  expect(height).toBeGreaterThanOrEqual(44);
});

test('a ticket submitted before any script is loaded is asked for what the form demands', async ({
  page,
  stack,
  widget,
}) => {
  const release = await delayScripts(page, /\/assets\/(app|conversation|site|form)-/);
  await page.goto(`${stack.host.origin}/usual`);
  await widget.open();
  await widget.write({ email: newEmail(), description: 'Where is my tea?' });
  await widget.send.click();
  release();
  const summary = widget.app.getByRole('group', { name: 'Please fix the following' });
  await expect(summary.getByRole('button')).toHaveText(['I agree to the privacy notice.']);
  await consent(widget).check();
  await widget.send.click();
  await expect(widget.conversation.getByText('Where is my tea?')).toBeVisible();
});
