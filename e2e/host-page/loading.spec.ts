import { createHash } from 'node:crypto';
import packageJson from '../../package.json' with { type: 'json' };
import { expect, test } from '../support/fixtures.ts';

test('before the customer acts the widget makes one request and stores nothing [browser-23]', async ({
  page,
  context,
  stack,
  widget,
}) => {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(stack.host.origin);
  await widget.launcher.waitFor();
  await page.waitForLoadState('networkidle');
  expect(requests.filter((url) => url.startsWith(stack.bffUrl))).toEqual([`${stack.bffUrl}/widget.js`]);
  expect(await context.cookies()).toEqual([]);
  const stored = await page.evaluate(async () => [
    localStorage.length,
    sessionStorage.length,
    (await indexedDB.databases()).length,
    (await caches.keys()).length,
  ]);
  expect(stored).toEqual([0, 0, 0, 0]);
  expect(await page.locator('iframe').count()).toBe(0);
});

test('a pointer that passes over the launcher loads nothing, and one that stays for 90 ms loads the closed panel', async ({
  page,
  stack,
  widget,
}) => {
  await page.clock.install();
  await page.goto(stack.host.origin);
  await widget.launcher.waitFor();
  await page.clock.pauseAt(Date.now() + 60_000);
  const frame = page.locator('iframe[title="Support"]');
  await widget.launcher.hover();
  await page.mouse.move(0, 0);
  await page.clock.runFor(1_000);
  await expect(frame).toHaveCount(0);
  await widget.launcher.hover();
  await page.clock.runFor(89);
  await expect(frame).toHaveCount(0);
  // The frame is added in the task after that.
  await page.clock.runFor(2);
  await expect(frame).toHaveCount(1);
  await expect(frame).toBeHidden();
});

test('opening loads one document, the deferred script, the scripts of the app and the session', async ({
  page,
  stack,
  widget,
}) => {
  await page.goto(stack.host.origin);
  await widget.launcher.waitFor();
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await widget.open();
  await page.waitForLoadState('networkidle');
  // In no order: they are fetched beside one another.
  expect(requests.filter((path) => !path.startsWith('/api/')).sort()).toEqual([
    expect.stringMatching(/^\/assets\/app-[\w-]{8}\.js$/),
    expect.stringMatching(/^\/assets\/conversation-[\w-]{8}\.js$/),
    expect.stringMatching(/^\/assets\/deferred-[\w-]{8}\.js$/),
    // Customers may attach files, unless the operator takes none. What uploads them comes with the first file.
    expect.stringMatching(/^\/assets\/site-[\w-]{8}\.js$/),
    '/frame',
  ]);
  expect(requests.filter((path) => path.startsWith('/api/'))).toEqual(['/api/session']);
});

test('a site that is not on the list gets an empty frame [browser-15]', async ({ page, stack, widget }) => {
  await page.goto(stack.host.origin.replace('localhost', '127.0.0.1'));
  const refusal = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
  await widget.launcher.click();
  await refusal;
  await expect(widget.app.getByRole('heading', { name: 'How can we help?' })).toHaveCount(0);
});

test('a cross-origin isolated page shows the panel with the site’s logo', async ({ page, stack, widget }) => {
  const logo = `${stack.host.origin}/logo.svg`;
  await page.route(logo, (route) =>
    route.fulfill({
      contentType: 'image/svg+xml',
      headers: { 'Cross-Origin-Resource-Policy': 'cross-origin' },
      body: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
    }),
  );
  await page.goto(`${stack.host.origin}/isolated/credentialless`);
  await widget.open();
  await page.evaluate((address) => window.Deskside!('update', { logo: address }), logo);
  await expect(widget.app.locator('.brand-mark img')).toHaveJSProperty('naturalWidth', 9);
});

test('the tag of a module works with its settings', async ({ page, stack, widget }) => {
  await page.goto(`${stack.host.origin}/module`);
  await widget.open();
  await expect(page.getByRole('dialog', { name: 'Kettle' })).toBeVisible();
});

test('a script that has no tag says so in the console', async ({ page, stack }) => {
  await page.goto(`${stack.host.origin}/late`);
  const warning = page.waitForEvent('console', (message) => message.text().includes('no script tag'));
  await page.evaluate((address) => import(address), `${stack.bffUrl}/widget.js`);
  await warning;
  await expect(page.locator('deskside-root')).toHaveCount(0);
});

test('a tag that is pinned by its hash loads all scripts on a page that runs none without', async ({
  page,
  stack,
  widget,
}) => {
  await page.goto(`${stack.host.origin}/hashed`);
  const src = `${stack.bffUrl}/widget-${packageJson.version}.js`;
  const code = Buffer.from(await (await fetch(src)).arrayBuffer());
  const integrity = `sha384-${createHash('sha384').update(code).digest('base64')}`;
  const later = page.waitForResponse(/\/deferred-/);
  await page.evaluate(
    (attributes) => {
      document.head.append(Object.assign(document.createElement('script'), attributes));
    },
    { src, integrity, crossOrigin: 'anonymous' },
  );
  await widget.open();
  expect((await later).ok()).toBe(true);
  // The command is the second script's.
  expect(await page.evaluate(() => window.Deskside!('diagnose'))).toMatchObject({
    checks: expect.any(Array),
  });
});
