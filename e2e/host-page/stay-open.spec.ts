import { expect, newEmail, test } from '../support/fixtures.ts';
import type { Widget } from '../support/pages/widget.ts';

/** The deferred script opens the panel again in the same task in which it adds its badge to the launcher. */
const untilDecided = ({ launcher }: Widget) => launcher.locator('span').waitFor({ state: 'attached' });

test('an open panel is open on the next page with its conversation, and leaves the focus to the page', async ({
  page,
  stack,
  widget,
}) => {
  const usual = `${stack.host.origin}/usual`;
  await page.goto(usual);
  await widget.open();
  await widget.openTicket({ email: newEmail(), description: 'Where is my order?' });
  // Its script comes with the first ticket, and remembers which conversation is on screen.
  await widget.app.getByRole('button', { name: 'More options' }).waitFor();

  await page.goto(usual);
  await expect(widget.conversation.getByText('Where is my order?')).toBeVisible();
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY');

  await test.step('not on a phone, where it would hide the page', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(usual);
    await untilDecided(widget);
    await expect(widget.launcher).toHaveAccessibleName(/^Open support/);
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  await test.step('not after the customer has closed it', async () => {
    await widget.launcher.click();
    await widget.launcher.click();
    await page.goto(usual);
    await untilDecided(widget);
    await expect(widget.launcher).toHaveAccessibleName(/^Open support/);
  });
});

test('a panel that a new visitor opened without writing is open on the next page, with its form', async ({
  page,
  stack,
  widget,
}) => {
  await page.goto(`${stack.host.origin}/usual`);
  await widget.open();
  await widget.description.fill('Where is');
  // By the script that comes a moment after the form, and remembers what is open.
  await expect(widget.launcher).toHaveAttribute('aria-haspopup', 'dialog');
  await page.goto(`${stack.host.origin}/usual`);
  await expect(widget.description).toHaveValue('Where is');
  await expect(widget.launcher).toHaveAccessibleName('Close support');
});
