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

test('a page that is translated while the customer writes loses no key, and later has the panel in that language', async ({
  page,
  stack,
  widget,
}) => {
  await page.goto(stack.host.origin);
  await widget.open();
  await widget.description.click();
  await page.keyboard.type('My cup ');
  await page.evaluate(() => {
    document.documentElement.lang = 'es';
  });
  const app = page.frameLocator('deskside-root iframe');
  await expect(page.locator('deskside-root iframe')).not.toHaveAttribute('title', 'Support');
  await page.keyboard.type('is chipped.');
  await expect(app.getByRole('textbox').first()).toHaveValue('My cup is chipped.');
  await expect(app.locator('html')).toHaveAttribute('lang', 'en');
  await page.evaluate(() => window.Deskside!('close'));
  await page.evaluate(() => window.Deskside!('open'));
  await expect(app.locator('html')).toHaveAttribute('lang', 'es');
  await expect(app.getByRole('textbox').first()).toHaveValue('My cup is chipped.');
});
