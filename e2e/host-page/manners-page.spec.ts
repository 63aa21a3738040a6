import type { Locator } from '@playwright/test';
import { accessibilityFaults, expect, newEmail, test } from '../support/fixtures.ts';

const phone = { width: 390, height: 844 };

test('the widget does not move the page', async ({ page, stack, widget }) => {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        shifts.push((entry as PerformanceEntry & { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
    Object.assign(window, { shifts });
  });
  await page.goto(stack.host.origin);
  const size = () => page.evaluate(() => [document.documentElement.scrollWidth, document.body.scrollHeight]);
  const before = await size();
  await widget.open();
  await widget.launcher.click();
  expect(await size()).toEqual(before);
  expect(await page.evaluate('shifts')).toEqual([]);
});

test('the launcher is a circle large enough for touch, and axe finds nothing in forced colours', async ({
  page,
  stack,
  widget,
}) => {
  await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce' });
  await page.goto(stack.host.origin);
  await widget.launcher.waitFor();
  const expectCircle = async () => {
    const { width, height } = (await widget.launcher.boundingBox())!;
    expect(width).toBe(height);
    expect(width).toBeGreaterThanOrEqual(44);
  };
  await expectCircle();
  await widget.open();
  await expectCircle();
  expect(await accessibilityFaults(page)).toEqual([]);
  const durations = await page.evaluate(
    () => document.querySelector('deskside-root')!.shadowRoot!.getAnimations().length,
  );
  expect(durations).toBe(0);
});

test('the widget is not printed', async ({ page, stack, widget }) => {
  await page.goto(stack.host.origin);
  await widget.open();
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('deskside-root button').first()).toBeHidden();
  await expect(page.locator('deskside-root iframe')).toBeHidden();
});

test('on a phone the page behind the panel is inert while it is open', async ({ page, stack, widget }) => {
  await page.setViewportSize(phone);
  await page.goto(stack.host.origin);
  await widget.open();
  const dialog = page.getByRole('dialog', { name: 'Acme' });
  await expect.poll(() => dialog.evaluate((node) => node.matches(':modal'))).toBe(true);
  const link = page.locator('a');
  for (let presses = 0; presses < 12; presses += 1) {
    await page.keyboard.press('Tab');
    await expect(link).not.toBeFocused();
  }
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await link.focus();
  await expect(link).toBeFocused();
});

test('a panel that changes from phone to desktop size and back keeps text and focus', async ({
  page,
  stack,
  widget,
}) => {
  // The styles change with the window, and the dialog an event later: a key pressed between them may find no focus.
  const isModal = () => page.getByRole('dialog').evaluate((node) => node.matches(':modal'));
  await page.setViewportSize(phone);
  await page.goto(stack.host.origin);
  await widget.open();
  await expect.poll(isModal).toBe(true);
  await widget.description.click();
  await page.keyboard.type('Turned');
  await page.setViewportSize({ width: 1000, height: 700 });
  await expect.poll(isModal).toBe(false);
  await expect.poll(async () => (await page.locator('deskside-root iframe').boundingBox())?.width).toBe(400);
  await page.keyboard.type(' round');
  await page.setViewportSize(phone);
  await expect.poll(isModal).toBe(true);
  await page.keyboard.type(' again');
  await expect(widget.description).toHaveValue('Turned round again');
});

test('launcher, panel and “Send” are in the window with any offset, and with a wrong one as by default', async ({
  page,
  stack,
  widget,
}) => {
  const close = widget.app.getByRole('button', { name: 'Close' });
  const expectInWindow = async (part: Locator, { width, height }: { width: number; height: number }) =>
    expect
      .poll(async () => {
        const box = (await part.boundingBox())!;
        return box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height;
      })
      .toBe(true);
  // Read by the loader alone.
  for (const [offset, x] of [
    ['abc', 1208],
    ['99999', 340],
  ] as const) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${stack.host.origin}/offset/${offset}`);
    await expect.poll(async () => (await widget.launcher.boundingBox())?.x).toBeCloseTo(x, 0);
  }
  await widget.open();
  for (const offset of [99_999, 500, 80, 0, -5])
    for (const size of [
      { width: 1280, height: 800 },
      { width: 700, height: 500 },
      { width: 320, height: 256 },
    ]) {
      await page.setViewportSize(size);
      await page.evaluate((px) => window.Deskside!('update', { offset: px }), offset);
      await expectInWindow(page.locator('deskside-root iframe'), size);
      await expectInWindow(close, size);
      // In a very low window the form scrolls.
      if (size.height > 300) await expectInWindow(widget.send, size);
    }
  await page.evaluate(() => window.Deskside!('close'));
  await expectInWindow(widget.launcher, { width: 320, height: 256 });
});

test('a wheel scrolls the page behind an inline widget, but not behind the panel', async ({
  page,
  stack,
  widget,
}) => {
  await page.goto(`${stack.host.origin}/inline/below`);
  const inline = page.frameLocator('deskside-widget iframe');
  await inline.getByRole('heading').hover();
  const bottom = await page.evaluate(() => scrollY);
  await page.mouse.wheel(0, -100);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeLessThan(bottom);

  await page.evaluate(() => scrollTo(0, 500));
  await widget.launcher.click();
  const panel = page.frameLocator('deskside-root iframe');
  const message = panel.getByRole('textbox', { name: 'Message' });
  await message.fill('A long story.\n'.repeat(99));
  for (const part of [panel.getByRole('heading'), message, panel.getByRole('button', { name: 'Send' })]) {
    await part.hover();
    for (let turns = 0; turns < 9; turns += 1) await page.mouse.wheel(0, -300);
  }
  // A wheel that had scrolled the page would have left it at its top.
  await page.mouse.move(10, 300);
  await page.mouse.wheel(0, 100);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(600);
});

test('the widget can be used at 400 % zoom', async ({ page, stack, widget }) => {
  await page.setViewportSize({ width: 320, height: 256 });
  await page.goto(stack.host.origin);
  await widget.open();
  await expect
    .poll(() => page.locator('deskside-root iframe').boundingBox())
    .toMatchObject({ x: 0, y: 0, width: 320, height: 256 });
  await widget.openTicket({ email: newEmail(), subject: 'Large', description: 'Large type.' });
});

test("the launcher has the page's language, until the page sets another", async ({ page, stack }) => {
  await page.goto(`${stack.host.origin}/arabic`);
  await page.getByRole('button', { name: 'فتح الدعم' }).click();
  await expect(page.getByRole('button', { name: 'إغلاق الدعم' })).toBeVisible();
  await page.evaluate(() => window.Deskside!('update', { locale: 'en' }));
  await expect(page.getByRole('button', { name: 'Close support' })).toBeVisible();
  await expect(page.locator('deskside-root iframe')).toHaveAttribute('title', 'Support');
});

test('a preview is a small box over the launcher, not a dialog, and is replaced by the panel', async ({
  page,
  stack,
  widget,
}) => {
  for (const size of [{ width: 1000, height: 700 }, phone]) {
    await page.setViewportSize(size);
    await page.goto(stack.host.origin);
    await widget.open();
    await page.evaluate(() => window.Deskside!('close'));
    const frame = page.locator('deskside-root iframe');
    await expect(frame).toBeHidden();
    const preview = (height: number) =>
      page
        .frames()[1]!
        .evaluate(
          ([origin, px]) => parent.postMessage({ type: 'preview', height: px }, origin as string),
          [stack.host.origin, height],
        );
    await preview(120);
    await expect.poll(() => frame.boundingBox()).toMatchObject({ width: 320, height: 120 });
    await expect(page.getByRole('dialog')).toHaveCount(0);
    const launcher = (await widget.launcher.boundingBox())!;
    const box = (await frame.boundingBox())!;
    expect(box.y + box.height).toBeLessThanOrEqual(launcher.y);
    expect(box.x + box.width).toBe(size.width - 20);
    await preview(0);
    await expect(frame).toBeHidden();
    await preview(120);
    await widget.launcher.click();
    await expect.poll(async () => (await frame.boundingBox())?.height).toBeGreaterThan(400);
    await expect(page.getByRole('dialog', { name: 'Acme' })).toBeVisible();
  }
});

test('destroying the widget leaves nothing, and it can start again', async ({
  page,
  context,
  stack,
  widget,
}) => {
  await page.goto(`${stack.host.origin}/modal`);
  const cdp = await context.newCDPSession(page);
  const listeners = async () => {
    await cdp.send('HeapProfiler.collectGarbage');
    const { metrics } = await cdp.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'JSEventListeners')!.value;
  };
  await cdp.send('Performance.enable');
  await widget.open();
  await page.evaluate(() => document.body.append(document.createElement('deskside-widget')));
  await page.frameLocator('deskside-widget iframe').getByRole('button', { name: 'Send' }).waitFor();
  await page.evaluate(() => window.Deskside!('destroy'));
  await expect(page.locator('deskside-root, iframe')).toHaveCount(0);
  expect(await page.evaluate(() => Object.keys(window).filter((name) => /deskside/i.test(name)))).toEqual([]);
  await page.evaluate(() => document.querySelector('deskside-widget')!.remove());
  const restart = () =>
    page.evaluate(
      (src) =>
        new Promise((resolve) => {
          document.head.append(Object.assign(document.createElement('script'), { src, onload: resolve }));
        }),
      `${stack.bffUrl}/widget.js`,
    );
  await restart();
  await widget.open();
  await page.evaluate(() => window.Deskside!('destroy'));
  const once = await listeners();
  for (let round = 0; round < 3; round += 1) {
    await restart();
    await widget.open();
    await page.evaluate(() => window.Deskside!('destroy'));
  }
  // What a frame leaves is collected when the browser finds the time.
  await expect.poll(listeners).toBeLessThanOrEqual(once + 3);
});
