import type { Page } from '@playwright/test';
import { expect, test } from '../support/fixtures.ts';

interface Check {
  name: string;
  ok: boolean | null;
  hint: string;
}

/** The failed checks of the self-check, by name. */
async function faults(page: Page): Promise<Record<string, string>> {
  await page.locator('deskside-root').waitFor({ state: 'attached' });
  const report = (await page.evaluate(() => window.Deskside!('diagnose'))) as {
    version: string;
    checks: Check[];
  };
  expect(report.version).toMatch(/^\d+\.\d+\.\d+/);
  return Object.fromEntries(
    report.checks.filter(({ ok }) => ok === false).map(({ name, hint }) => [name, hint]),
  );
}

test('the self-check finds nothing wrong on a correct page', async ({ page, stack }) => {
  await page.goto(stack.host.origin);
  expect(await faults(page)).toEqual({});
});

test('the self-check names the directive that blocks the frame', async ({ page, stack }) => {
  await page.goto(`${stack.host.origin}/no-frames`);
  const found = await faults(page);
  expect(Object.keys(found)).toEqual(['Content security policy', 'Frame']);
  expect(found['Content security policy']).toContain(`frame-src blocks ${stack.bffUrl}`);
});

test('the self-check names only the missing directive, and guesses nothing about a frame that did not load', async ({
  page,
  stack,
}) => {
  await page.goto(`${stack.host.origin}/no-frames/strict`);
  await page.locator('deskside-root').waitFor({ state: 'attached' });
  const { checks } = (await page.evaluate(() => window.Deskside!('diagnose'))) as { checks: Check[] };
  const hint = (name: string) => checks.find((check) => check.name === name)!.hint;
  expect(hint('Content security policy')).toBe(
    `frame-src blocks ${stack.bffUrl}. Add the address to that directive.`,
  );
  expect(hint('Storage of the frame')).toBe('The frame did not come.');
  expect(hint('Server')).toBe('This check was kept from asking.');
});

test('the self-check names an origin that is not allowed', async ({ page, stack }) => {
  const origin = stack.host.origin.replace('localhost', '127.0.0.1');
  await page.goto(origin);
  const found = await faults(page);
  expect(Object.keys(found)).toEqual(['Frame']);
  expect(found['Frame']).toContain(`${origin} in ALLOWED_ORIGINS`);
});

test('the self-check names a duplicate tag', async ({ page, stack }) => {
  await page.goto(`${stack.host.origin}/twice`);
  expect(Object.keys(await faults(page))).toEqual(['One tag']);
});

test('the self-check names a server that cannot be reached', async ({ page, stack }) => {
  await page.goto(stack.host.origin);
  await page.locator('deskside-root').waitFor({ state: 'attached' });
  await page.route(/\/frame\?|\/widget\.js/, (route) => route.abort());
  expect(Object.keys(await faults(page))).toEqual(['Server', 'Frame']);
});

test('the self-check names a frame of another version', async ({ page, stack, widget }) => {
  await page.goto(stack.host.origin);
  await widget.open();
  await page.frames()[1]!.evaluate((origin) => {
    parent.postMessage({ type: 'ready', version: '0.0.1' }, origin);
  }, stack.host.origin);
  const found = await faults(page);
  expect(Object.keys(found)).toEqual(['Version']);
  expect(found['Version']).toContain('the frame 0.0.1');
});

test('the self-check names the embedder policy of a page where a proxy removes the headers of the frame', async ({
  page,
  stack,
}) => {
  await page.route(/\/frame\?/, async (route) => {
    const response = await route.fetch();
    const headers = Object.entries(response.headers()).filter(([name]) => !name.startsWith('cross-origin-'));
    await route.fulfill({ response, headers: Object.fromEntries(headers) });
  });
  await page.goto(`${stack.host.origin}/isolated/require-corp`);
  const found = await faults(page);
  expect(Object.keys(found)).toEqual(['Embedder policy', 'Frame']);
  expect(found['Embedder policy']).toContain('“Cross-Origin-Embedder-Policy: require-corp”');
  expect(found['Frame']).toContain('See the embedder policy above.');
});

test('the self-check says that ALLOWED_ORIGINS cannot name a page in a sandbox without an origin', async ({
  page,
  stack,
}) => {
  await page.goto(`${stack.host.origin}/sandboxed/no-origin`);
  expect((await faults(page))['Frame']).toContain('sandbox without allow-same-origin');
});
