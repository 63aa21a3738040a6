import { readFile } from 'node:fs/promises';
import { accessibilityFaults, expect, newEmail, testWithIdentity as test } from '../support/fixtures.ts';
import { identityToken } from '../support/host-site.ts';

/** As the systems' web views name themselves: without the browser's own name, or with `wv`. */
const views = [
  {
    system: 'iOS',
    userAgent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
    // What the system adds for an app that listens.
    bridge:
      'window.webkit = { messageHandlers: { unread: { postMessage: (count) => { window.told = count } } } }',
  },
  {
    system: 'Android',
    userAgent:
      'Mozilla/5.0 (Linux; Android 15; Pixel 9 Build/BP1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/140.0.0.0 Mobile Safari/537.36',
    bridge: 'window.app = { unread: (count) => { window.told = count } }',
  },
];

/** The page that the documentation shows, with the addresses of this test. */
async function recipe(bffUrl: string, token: string): Promise<string> {
  const [, html] = /```html\n([^]*?)```/.exec(await readFile('docs/webview.md', 'utf8'))!;
  return html!.replace('https://support.example.com', bffUrl).replace('{token}', token);
}

for (const { system, userAgent, bridge } of views)
  test(`in a web view of ${system} the page of the documentation shows a signed-in customer’s conversation, and tells the app of answers`, async ({
    browser,
    stack,
    desk,
  }) => {
    const context = await browser.newContext({
      userAgent,
      viewport: { width: 390, height: 844 },
      isMobile: true,
      hasTouch: true,
    });
    const page = await context.newPage();
    await page.addInitScript(bridge);
    const email = newEmail();
    const html = await recipe(stack.bffUrl, await identityToken(email, stack.bffUrl));
    // Loaded from a text, under the site's address as its base.
    await page.goto(`${stack.host.origin}/token`);
    await page.setContent(html);
    const app = page.frameLocator('deskside-widget iframe');
    const first = `Order ${crypto.randomUUID().slice(0, 8)}`;
    await app.getByRole('textbox', { name: 'Message' }).fill(`${first}\nWhere is it?`);
    // Nobody is asked for an address that the token has: it comes with the session.
    await expect(app.getByRole('textbox', { name: 'Email' })).toHaveValue(email);
    await app.getByRole('button', { name: 'Send', exact: true }).tap();
    await app.getByRole('log', { name: 'Conversation' }).getByText('Sent', { exact: true }).waitFor();
    await expect(page.getByRole('button', { name: /support/i })).toBeHidden();

    await app.getByRole('button', { name: 'Back to your tickets' }).tap();
    await desk.openTicket(first);
    await desk.answer('On its way.');
    await expect.poll(() => page.evaluate(() => (window as { told?: number }).told)).toBe(1);
    const frame = await page.locator('deskside-widget').boundingBox();
    expect(frame).toEqual({ x: 0, y: 0, width: 390, height: 844 });
    expect(await accessibilityFaults(page)).toEqual([]);
    await context.close();
  });
