import type { Page } from '@playwright/test';
import { expect, newEmail, test } from '../support/fixtures.ts';

const hosts = (page: Page) => page.locator('deskside-root');
const frame = (page: Page) => page.locator('deskside-root iframe');
/** Whether a click in the middle of the panel, or of the launcher, hits it. */
const isOnTop = (page: Page, part: 'iframe' | '.root > button') =>
  page.evaluate((selector) => {
    const host = document.querySelector('deskside-root')!;
    const { x, y, width, height } = host.shadowRoot!.querySelector(selector)!.getBoundingClientRect();
    return document.elementFromPoint(x + width / 2, y + height / 2) === host;
  }, part);

test('a strict content security policy is not violated, also not by the deferred script [browser-25]', async ({
  page,
  stack,
}) => {
  const faults: string[] = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  page.on('pageerror', (error) => faults.push(error.message));
  const later = page.waitForResponse(/\/deferred-/);
  await page.goto(`${stack.host.origin}/strict/all`);
  await page.evaluate(() => {
    const violations: string[] = [];
    document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective));
    Object.assign(window, { violations });
  });
  expect((await later).ok()).toBe(true);
  const inline = page.frameLocator('deskside-widget iframe');
  await inline.getByRole('textbox', { name: 'Nachricht' }).waitFor();
  await page.getByRole('button', { name: 'Show basket' }).click();
  await page.getByRole('button', { name: 'Support öffnen' }).click();
  const app = page.frameLocator('deskside-root iframe');
  await app.getByLabel('E-Mail-Adresse').fill(newEmail());
  await app.getByLabel('Betreff').fill('Streng');
  await app.getByRole('textbox', { name: 'Nachricht' }).fill('Siehe https://example.com');
  await app.getByRole('button', { name: 'Senden', exact: true }).click();
  await app.getByRole('log').getByText('Gesendet', { exact: true }).waitFor();
  await page.evaluate(() => window.Deskside!('diagnose'));
  await page.getByRole('button', { name: 'Support schließen' }).click();
  expect(faults).toEqual([]);
  expect(await page.evaluate('violations')).toEqual([]);
});

test('a page whose root element is replaced, as by React after a mismatch, keeps the widget with its text', async ({
  page,
  stack,
  widget,
}) => {
  await page.goto(stack.host.origin);
  await widget.open();
  await widget.description.fill('Still here');
  await page.evaluate(() => {
    const { documentElement } = new DOMParser().parseFromString('<h1>Next page</h1>', 'text/html');
    document.replaceChild(document.adoptNode(documentElement), document.documentElement);
  });
  await expect(widget.description).toHaveValue('Still here');
  await expect(widget.launcher).toBeVisible();
});

test('a page that swaps or morphs its body keeps the widget open, with its text', async ({
  page,
  stack,
  widget,
}) => {
  await page.goto(`${stack.host.origin}/swaps`);
  await widget.open();
  await widget.description.fill('A long story.');
  await page.evaluate('morph()');
  await expect(widget.description).toHaveValue('A long story.');
  await expect(widget.launcher).toHaveAttribute('aria-expanded', 'true');
  // A swap, unlike a morph, does not even load the frame again.
  let loads = 0;
  page.on('framenavigated', () => {
    loads += 1;
  });
  await page.evaluate('swap()');
  await expect(widget.description).toHaveValue('A long story.');
  expect(loads).toBe(0);
  await page.evaluate('morph()');
  await page.evaluate('swap()');
  await expect(widget.description).toHaveValue('A long story.');
  await expect(hosts(page)).toHaveCount(1);
  await widget.launcher.click();
  await expect(frame(page)).toBeHidden();
});

test('on a site that routes by pushState the widget stays, and sends the current page', async ({
  page,
  stack,
  widget,
  desk,
}) => {
  await page.goto(stack.host.origin);
  await widget.open();
  await page.evaluate(() => {
    history.pushState(null, '', '/kettles?token=secret');
    document.querySelector('h1')!.textContent = 'Kettles';
  });
  await widget.launcher.click();
  await widget.open();
  const subject = `Kettle ${crypto.randomUUID().slice(0, 8)}`;
  await widget.openTicket({ email: newEmail(), subject, description: 'It hums.' });
  await desk.openTicket(subject);
  await expect(desk.page.getByText(`${stack.host.origin}/kettles`)).toBeVisible();
  await expect(desk.page.getByText('secret')).toHaveCount(0);
});

test('two tags add one launcher', async ({ page, stack, widget }) => {
  // Both scripts have run when the page is loaded.
  await page.goto(`${stack.host.origin}/twice`, { waitUntil: 'load' });
  await widget.open();
  await expect(hosts(page)).toHaveCount(1);
});

test('a tag that is loaded late runs the earlier calls', async ({ page, stack, widget }) => {
  await page.goto(`${stack.host.origin}/late`);
  await page.evaluate((src) => {
    const calls: unknown[] = [];
    const stub = (...call: unknown[]): undefined => void calls.push(call);
    window.Deskside = Object.assign(stub, { q: calls });
    window.Deskside('prefill', { subject: 'Order 7' });
    window.Deskside('open');
    document.head.append(Object.assign(document.createElement('script'), { src }));
  }, `${stack.bffUrl}/widget.js`);
  await expect(widget.subject).toHaveValue('Order 7');
});

test('the widget works from the cache', async ({ page, context, stack, widget }) => {
  await page.goto(stack.host.origin);
  await widget.open();
  const cdp = await context.newCDPSession(page);
  const scripts = new Map<string, string>();
  const cached: string[] = [];
  cdp.on('Network.requestWillBeSent', ({ requestId, request }) => scripts.set(requestId, request.url));
  cdp.on('Network.requestServedFromCache', ({ requestId }) => cached.push(scripts.get(requestId) ?? ''));
  await cdp.send('Network.enable');
  await page.goto(`${stack.host.origin}/second`);
  await widget.open();
  expect(cached).toContain(`${stack.bffUrl}/widget.js`);
  expect(cached.filter((url) => url.includes('/deferred-'))).toHaveLength(1);
});

test('styles of the page do not affect the widget', async ({ page, stack, widget }) => {
  await page.goto(`${stack.host.origin}/hostile`);
  await widget.launcher.waitFor();
  const launcher = await widget.launcher.boundingBox();
  expect(launcher).toMatchObject({ width: expect.closeTo(52, 0), height: expect.closeTo(52, 0) });
  const { width, height } = page.viewportSize()!;
  expect(launcher!.x + launcher!.width).toBeCloseTo(width - 20, 0);
  expect(launcher!.y + launcher!.height).toBeCloseTo(height - 20, 0);
  await widget.open();
  const panel = await page.locator('deskside-root dialog').boundingBox();
  expect(panel).toMatchObject({ width: 400, height: height - 112 });
  expect(await frame(page).boundingBox()).toEqual(panel);
  expect(await isOnTop(page, 'iframe')).toBe(true);
});

test('the site can set z-index, side and distance', async ({ page, stack, widget }) => {
  await page.goto(`${stack.host.origin}/ordered`);
  await widget.launcher.waitFor();
  const box = (await widget.launcher.boundingBox())!;
  expect(box.x).toBeCloseTo(40, 0);
  expect(box.y + box.height).toBeCloseTo(page.viewportSize()!.height - 40, 0);
  expect(await isOnTop(page, '.root > button')).toBe(false);
  await page.evaluate(() => window.Deskside!('update', { zIndex: 7, position: 'right' }));
  expect(await isOnTop(page, '.root > button')).toBe(true);
  expect((await widget.launcher.boundingBox())!.x).toBeGreaterThan(600);
});

test('the site’s own launchers open and close the panel, and have its state', async ({
  page,
  stack,
  widget,
}) => {
  await page.goto(`${stack.host.origin}/own-launcher`);
  const help = page.getByRole('button', { name: 'Help' });
  await expect(help).toHaveAttribute('aria-expanded', 'false');
  await expect(help).toHaveAttribute('aria-haspopup', 'dialog');
  await expect(page.locator('deskside-root button')).toBeHidden();
  await help.click();
  await widget.description.waitFor();
  await expect(help).toHaveAttribute('aria-expanded', 'true');
  await page.evaluate(() => {
    document.getElementById('later')!.innerHTML = '<button class="help">Later</button>';
  });
  const later = page.getByRole('button', { name: 'Later' });
  await expect(later).toHaveAttribute('aria-expanded', 'true');
  await later.click();
  await expect(frame(page)).toBeHidden();
  await page
    .frames()[1]!
    .evaluate((origin) => parent.postMessage({ type: 'unread', count: 3 }, origin), stack.host.origin);
  await expect(help).toHaveAttribute('data-deskside-unread', '3');
  await expect(page).toHaveTitle('(3) A shop');
  await page.evaluate(() => {
    document.title = 'Kettles';
  });
  await expect(page).toHaveTitle('(3) Kettles');
  await page.evaluate(() => window.Deskside!('destroy'));
  await expect(page).toHaveTitle('Kettles');
  expect(await help.evaluate((node) => node.getAttributeNames())).toEqual(['class']);
});
