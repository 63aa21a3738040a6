import { delayScripts } from '../support/delay-scripts.ts';
import { expect, test } from '../support/fixtures.ts';

const height = 844;
test.use({ viewport: { width: 390, height }, hasTouch: true, isMobile: true });

test('launcher and panel avoid the covered parts of a phone’s screen', async ({ page, stack, widget }) => {
  const insets = { top: 47, bottom: 34 };
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setSafeAreaInsetsOverride', { insets });
  await page.goto(stack.host.origin);
  const bottomOfLauncher = async () => {
    const box = (await widget.launcher.boundingBox())!;
    return box.y + box.height;
  };
  await expect.poll(bottomOfLauncher).toBeCloseTo(height - insets.bottom - 20, 0);
  await widget.open();
  const frame = page.frames()[1]!;
  await expect.poll(() => frame.evaluate(() => innerHeight)).toBe(height - insets.top - insets.bottom);
  const close = widget.app.getByRole('button', { name: 'Close' });
  expect((await close.boundingBox())!.y).toBeGreaterThan(insets.top);
});

test('the panel fills the part of the window that is seen, as above an on-screen keyboard', async ({
  page,
  stack,
  widget,
}) => {
  // Headless browsers have no on-screen keyboard, so the test simulates what a browser reports about one.
  await page.addInitScript(() => {
    if (window.parent !== window) return;
    const whole = { width: 390, height: innerHeight, offsetLeft: 0, offsetTop: 0, scale: 1 };
    const seen = Object.assign(new EventTarget(), whole);
    Object.defineProperty(window, 'visualViewport', { value: seen });
  });
  await page.goto(stack.host.origin);
  // Custom properties of the page are inherited by all its elements.
  await page.addStyleTag({ content: ':root { --top: 200px; --width: 10px; --height: 10px }' });
  await widget.open();
  const panel = page.locator('iframe[title="Support"]');
  await expect.poll(() => panel.boundingBox()).toMatchObject({ y: 0, height });
  await page.evaluate(() => {
    Object.assign(visualViewport!, { height: 500, offsetTop: 40 });
    visualViewport!.dispatchEvent(new Event('resize'));
  });
  await expect.poll(() => panel.boundingBox()).toMatchObject({ y: 40, height: 500 });
  await expect(widget.app.getByRole('button', { name: 'Close' })).toBeInViewport();
  // Two fingers enlarge the page: what is seen is a part of the panel, which stays as it is.
  await page.evaluate(() => {
    Object.assign(visualViewport!, { width: 195, height: 250, offsetTop: 130, scale: 2 });
    visualViewport!.dispatchEvent(new Event('resize'));
  });
  await expect.poll(() => panel.boundingBox()).toMatchObject({ y: 40, height: 500 });
  // A page that is wider than the screen makes the window wider, too, and shows a part of it.
  await page.evaluate(() => {
    Object.assign(visualViewport!, { width: 300, height: 600, offsetLeft: 90, offsetTop: 70, scale: 1 });
    visualViewport!.dispatchEvent(new Event('scroll'));
  });
  await expect.poll(() => panel.boundingBox()).toEqual({ x: 90, y: 70, width: 300, height: 600 });
  await page.evaluate(() => {
    document.documentElement.style.zoom = '1.5';
    Object.assign(visualViewport!, { width: 390, height: 480, offsetLeft: 0, offsetTop: 60, scale: 1 });
    visualViewport!.dispatchEvent(new Event('resize'));
  });
  await expect.poll(() => panel.boundingBox()).toMatchObject({ x: 0, y: 60, width: 390, height: 480 });
});

test('the panel fills the screen when only the loader is loaded', async ({ page, stack, widget }) => {
  await page.route(/\/assets\/deferred-|\/frame\?/, () => {});
  await page.goto(stack.host.origin);
  await widget.launcher.click();
  const panel = page.getByRole('dialog', { name: 'Acme' });
  expect(await panel.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height });
});

test('on a page that is enlarged before the panel opens, it fills the screen', async ({
  page,
  stack,
  widget,
}) => {
  await page.goto(stack.host.origin);
  await page.addStyleTag({ content: ':root { --top: 200px; --left: 50px; --width: 10px; --height: 10px }' });
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setPageScaleFactor', { pageScaleFactor: 2 });
  await widget.launcher.evaluate((launcher: HTMLElement) => launcher.click());
  await widget.description.waitFor();
  const panel = () =>
    page.getByRole('dialog', { name: 'Acme' }).evaluate((dialog) => dialog.getBoundingClientRect().toJSON());
  await expect.poll(panel).toMatchObject({ x: 0, y: 0, width: 390, height });
});

test('a customer who writes before the deferred script has come goes on writing when it makes the panel modal', async ({
  page,
  stack,
  widget,
}) => {
  const release = await delayScripts(page, /deferred-/);
  await page.goto(stack.host.origin);
  await widget.launcher.click();
  await expect(page.locator('deskside-root dialog')).toHaveClass('ready');
  await widget.email.click();
  await page.keyboard.type('customer@');
  release();
  const dialog = page.getByRole('dialog', { name: 'Acme' });
  await expect.poll(() => dialog.evaluate((node) => node.matches(':modal'))).toBe(true);
  await expect(widget.email).toBeFocused();
  await page.keyboard.type('example.com');
  await expect(widget.email).toHaveValue('customer@example.com');
});
