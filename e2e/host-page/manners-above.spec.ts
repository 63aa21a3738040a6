import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixtures.ts';

/** Whether a click in the middle of this part of the widget hits it. */
const isOnTop = (page: Page, part: 'iframe' | '.root > button') =>
  page.evaluate((selector) => {
    const host = document.querySelector('deskside-root')!;
    const { x, y, width, height } = host.shadowRoot!.querySelector(selector)!.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2) === host;
  }, part);
const isLifted = (page: Page) =>
  page.evaluate(() =>
    document.querySelector('deskside-root')?.shadowRoot!.querySelector('.root')!.matches(':popover-open'),
  );
const hostParent = (page: Page) =>
  page.evaluate(() => document.querySelector('deskside-root')!.parentElement!.localName);
/** Loads of frames from now on. */
function countLoads(page: Page) {
  const loads = { count: 0 };
  page.on('framenavigated', () => {
    loads.count += 1;
  });
  return loads;
}

for (const path of ['/modal', '/ordered-modal'])
  test(`above a modal dialog of the page the panel can be opened, written in and closed: ${path}`, async ({
    page,
    stack,
    widget,
  }) => {
    await page.goto(stack.host.origin + path);
    await page.getByRole('button', { name: 'Show basket' }).click();
    await widget.open();
    await widget.description.click();
    await page.keyboard.type('Written above a modal.');
    await expect(widget.description).toHaveValue('Written above a modal.');
    await page.getByRole('button', { name: 'More' }).click();
    // Browsers tell of a modal in a later task, and then the widget rises.
    await expect.poll(() => isOnTop(page, 'iframe')).toBe(true);
    await widget.description.press('End');
    await page.keyboard.type(' And another.');
    await expect(widget.description).toHaveValue('Written above a modal. And another.');
    await page.getByRole('button', { name: 'Less' }).click();
    await widget.launcher.click();
    await page.getByRole('button', { name: 'Close basket' }).click();
    await expect.poll(() => hostParent(page)).toBe('html');
    await widget.launcher.click();
    await expect(widget.description).toHaveValue('Written above a modal. And another.');
  });

test('a modal that opens and closes while the customer writes reloads no frame, and leaves the focus in the widget', async ({
  page,
  stack,
  widget,
}) => {
  await page.goto(`${stack.host.origin}/modal`);
  await widget.open();
  await widget.description.fill('Before.');
  const loads = countLoads(page);
  await page.evaluate(() => document.querySelector('dialog')!.showModal());
  await expect.poll(() => hostParent(page)).toBe('dialog');
  await widget.description.click();
  await page.keyboard.press('End');
  await page.keyboard.type(' Within.');
  await page.evaluate(() => document.querySelector('dialog')!.close());
  await expect.poll(() => hostParent(page)).toBe('html');
  await expect(page.locator('deskside-root')).toBeFocused();
  await expect(widget.description).toHaveValue('Before. Within.');
  expect(loads.count).toBe(0);
});

test('a modal that a script opens while the customer writes does not take their focus', async ({
  page,
  stack,
  widget,
}) => {
  await page.goto(`${stack.host.origin}/modal`);
  await widget.open();
  await widget.description.click();
  await page.keyboard.type('Before.');
  await page.evaluate(() => document.querySelector('dialog')!.showModal());
  await expect(widget.description).toBeFocused();
  await page.keyboard.type(' After.');
  await expect(widget.description).toHaveValue('Before. After.');
  await page.getByRole('button', { name: 'More' }).focus();
  await expect(page.getByRole('button', { name: 'More' })).toBeFocused();
});

test('above a modal in a shadow tree the panel can be written in, and stays when the modal is closed or removed', async ({
  page,
  stack,
  widget,
}) => {
  await page.goto(`${stack.host.origin}/component-modal`);
  await widget.open();
  await widget.description.fill('Above');
  await page.getByRole('button', { name: 'Show basket' }).click();
  await widget.description.press('End');
  await page.keyboard.type(' a component.');
  await expect(widget.description).toHaveValue('Above a component.');
  await page.getByRole('button', { name: 'Close basket' }).click();
  await expect(page.locator('html > deskside-root')).toHaveCount(1);
  await page.getByRole('button', { name: 'Show basket' }).click();
  await page.evaluate(() => document.querySelector('shop-basket')!.remove());
  await expect(page.locator('deskside-root')).toHaveCount(1);
  await expect(widget.description).toHaveValue('Above a component.');
});

test('a page that removes its open dialog does not remove the widget', async ({ page, stack, widget }) => {
  await page.goto(`${stack.host.origin}/modal`);
  await page.getByRole('button', { name: 'Show basket' }).click();
  await widget.open();
  await widget.description.fill('Kept.');
  await page.evaluate(() => document.querySelector('dialog')!.remove());
  await expect(widget.description).toHaveValue('Kept.');
  await expect(page.locator('deskside-root')).toHaveCount(1);
});

test('above each popover of the page the launcher is shown, and the panel can be written in', async ({
  page,
  stack,
  widget,
}) => {
  await page.goto(`${stack.host.origin}/popover`);
  await expect.poll(() => isOnTop(page, '.root > button')).toBe(true);
  await widget.open();
  await widget.description.click();
  await page.keyboard.type('Within,');
  const loads = countLoads(page);
  await page.evaluate(() => document.querySelector<HTMLElement>('#consent')!.hidePopover());
  await page.keyboard.type(' after');
  await expect.poll(() => isLifted(page)).toBe(false);
  await page.evaluate(() => document.querySelector<HTMLElement>('#consent')!.showPopover());
  await expect.poll(() => isOnTop(page, 'iframe')).toBe(true);
  await page.keyboard.type(' and again.');
  await expect(widget.description).toHaveValue('Within, after and again.');
  expect(loads.count).toBe(0);
});

test('on a page whose root is transformed the launcher is in the window', async ({ page, stack, widget }) => {
  await page.goto(`${stack.host.origin}/moved`);
  await expect(widget.launcher).toBeInViewport();
  await widget.open();
  await expect(widget.description).toBeInViewport();
});

test('the widget is there in fullscreen, and afterwards', async ({ page, stack, widget }) => {
  await page.goto(`${stack.host.origin}/fullscreen`);
  await page.getByRole('button', { name: 'Fill the screen' }).click();
  await expect.poll(() => page.evaluate(() => document.fullscreenElement?.id)).toBe('stage');
  await expect.poll(() => isOnTop(page, '.root > button')).toBe(true);
  await widget.open();
  await widget.description.click();
  await page.keyboard.type('In fullscreen.');
  await expect(widget.description).toHaveValue('In fullscreen.');
  await page.evaluate(() => document.exitFullscreen());
  await expect(widget.description).toHaveValue('In fullscreen.');
  await expect.poll(() => isOnTop(page, 'iframe')).toBe(true);
});

test('a custom dialog that holds the focus, and closes at a press outside or Escape, lets the customer write and stays', async ({
  page,
  stack,
  widget,
}) => {
  await page.goto(`${stack.host.origin}/focus-trap`);
  await expect(page.getByLabel('Your address')).toBeFocused();
  await widget.open();
  await widget.description.click();
  await page.keyboard.type('Past the trap.');
  await expect(widget.description).toHaveValue('Past the trap.');
  await expect(page.locator('deskside-root')).not.toHaveAttribute('inert');
  await page.evaluate(() => document.body.appendChild(document.createElement('button')).focus());
  await expect(page.getByLabel('Your address')).toBeFocused();
  await widget.description.press('Escape');
  await expect(page.locator('deskside-root iframe')).toBeHidden();
  await page.getByLabel('Your address').fill('In the dialog');
  await widget.open();
  await widget.launcher.click();
  await expect(page.getByLabel('Your address')).toBeVisible();
  await page.mouse.click(400, 500);
  await expect(page.getByLabel('Your address')).toBeHidden();
});

test('a page that makes all beside its dialog inert while the customer writes loses no key', async ({
  page,
  stack,
  widget,
}) => {
  await page.goto(`${stack.host.origin}/focus-trap`);
  await widget.open();
  await widget.description.click();
  await page.keyboard.type('Before,');
  await page.evaluate(() => {
    for (const each of document.body.children) (each as HTMLElement).inert = each.id !== 'trap';
  });
  await page.keyboard.type(' and after.');
  await expect(widget.description).toHaveValue('Before, and after.');
});
