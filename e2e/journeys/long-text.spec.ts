import type { Locator } from '@playwright/test';
import { expect, newEmail, test } from '../support/fixtures.ts';

const longText = 'I ordered this in May, and it has not come yet.\n'.repeat(80);

/** Of the window: desktop, phone, phone with its keyboard, phone on its side. */
const sizes = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
  { width: 390, height: 420 },
  { width: 640, height: 360 },
];

test('a long text leaves the header and the button to send in view, in the form and in a reply', async ({
  page,
  widget,
  stack,
}) => {
  const browser = await page.context().newCDPSession(page);
  const close = widget.app.getByRole('button', { name: 'Close' });
  async function checkSizes(send: Locator, field: Locator) {
    // At 100 % and at 200 % of the text.
    for (const standard of [16, 32]) {
      await browser.send('Page.setFontSizes', { fontSizes: { standard, fixed: standard } });
      for (const size of sizes) {
        await page.setViewportSize(size);
        for (const part of [close, send]) await expect(part).toBeInViewport({ ratio: 1 });
        await field.press('End');
        await expect(field).toBeInViewport({ ratio: 0.2 });
      }
    }
    await browser.send('Page.setFontSizes', { fontSizes: { standard: 16, fixed: 13 } });
    await page.setViewportSize(sizes[0]!);
  }

  await page.goto(stack.host.origin);
  await widget.open();
  await widget.write({ email: newEmail(), subject: 'My late order', description: longText });
  await checkSizes(widget.send, widget.description);
  await widget.send.click();
  await widget.conversation.getByText('Sent', { exact: true }).waitFor();
  await widget.reply.fill(longText);
  await checkSizes(widget.sendReply, widget.reply);
});

test('a long text leaves the button to send in view in an inline widget, high and low', async ({
  page,
  stack,
}) => {
  await page.goto(`${stack.host.origin}/inline`);
  const app = page.frameLocator('deskside-widget iframe').first();
  await app.getByRole('textbox', { name: 'Message' }).fill(longText);
  for (const height of [720, 300]) {
    await page.addStyleTag({ content: `deskside-widget { height: ${height}px !important }` });
    await page.locator('deskside-widget').first().scrollIntoViewIfNeeded();
    await expect(app.getByRole('button', { name: 'Send', exact: true })).toBeInViewport({ ratio: 1 });
  }
});
