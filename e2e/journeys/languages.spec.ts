import { accessibilityFaults, expect, test } from '../support/fixtures.ts';

/** Settings of the host page, there before the script. */
const settings = (value: object) => `window.DesksideSettings = ${JSON.stringify(value)}`;

test('the widget has the page’s language, and its direction', async ({ page, stack }) => {
  await page.addInitScript(settings({ locale: 'ar' }));
  await page.goto(stack.host.origin);
  await page.getByRole('button', { name: 'فتح الدعم' }).click();
  const app = page.frameLocator('iframe[title="الدعم"]');
  await expect(app.locator('html')).toHaveAttribute('dir', 'rtl');
  await expect(app.getByRole('heading', { level: 1 })).toHaveText(/[\u0600-\u06ff]/);
  expect(await accessibilityFaults(page)).toEqual([]);
});

test('the site’s own texts replace the widget’s, as text', async ({ page, stack, widget }) => {
  const texts = { start: 'Ask <b>the</b> crew', 'fields.subject': 'Topic', nonsense: 'x' };
  await page.addInitScript(settings({ texts }));
  await page.goto(stack.host.origin);
  await widget.launcher.click();
  await expect(widget.app.getByRole('heading', { name: 'Ask <b>the</b> crew' })).toBeVisible();
  await expect(widget.app.getByRole('textbox', { name: 'Topic' })).toBeVisible();
});
