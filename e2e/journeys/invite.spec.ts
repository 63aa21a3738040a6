import { accessibilityFaults, expect, test } from '../support/fixtures.ts';

const text = 'Questions about delivery? We are here.';

test('an invite does not show over typing, stays closed on the next page, and opens the form', async ({
  page,
  stack,
  widget,
}) => {
  const status = page.locator('deskside-root').getByRole('status');
  const invite = page.getByRole('button', { name: text });
  /** Goes to a page whose deferred script has come. */
  const visit = async (path: string) => {
    await page.goto(stack.host.origin + path);
    await page.clock.runFor(100);
    await expect(status).toBeAttached();
  };
  await page.clock.install();
  await page.addInitScript((words) => {
    window.DesksideSettings = { invite: words, inviteAfter: 5, invitePage: '/cart*' };
  }, text);

  await visit('/cart');
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

  await status.getByRole('button', { name: 'Close support' }).click();
  await expect(status).not.toBeAttached();
  await visit('/cart/address');
  await page.clock.runFor(20_000);
  // Its time has come, and it has ended without having been shown.
  await expect(status).not.toBeAttached();

  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await visit('/cart');
  await page.clock.runFor(5_000);
  await invite.click();
  await expect(widget.description).toBeFocused();
  await expect(status).not.toBeAttached();
});
