import { accessibilityFaults, expect, test } from '../support/fixtures.ts';

const text = 'Questions about delivery? We are here.';

test('an invite does not show over typing, and opens the form', async ({ page, stack, widget }) => {
  const status = page.locator('deskside-root').getByRole('status');
  const invite = page.getByRole('button', { name: text });
  await page.clock.install();
  await page.addInitScript((words) => {
    window.DesksideSettings = { invite: words, inviteAfter: 5, invitePage: '/cart*' };
  }, text);

  await page.goto(`${stack.host.origin}/cart`);
  await page.clock.runFor(100);
  await expect(status).toBeAttached();
  await page.evaluate(() =>
    document.body.append(Object.assign(document.createElement('input'), { ariaLabel: 'Search' })),
  );
  await page.getByRole('textbox').focus();
  await page.clock.runFor(20_000);
  await expect(invite).toBeHidden();
  await page.getByRole('textbox').blur();
  await page.clock.runFor(5_000);
  await expect(invite).toBeVisible();
  await expect(status).toContainText(text);
  expect(await accessibilityFaults(page)).toEqual([]);

  await invite.click();
  await expect(widget.description).toBeFocused();
  await expect(status).not.toBeAttached();
});
