import { readFile } from 'node:fs/promises';
import { accessibilityFaults, expect, newEmail, testWithIdentity as test } from '../support/fixtures.ts';
import { identityToken } from '../../scripts/identity-token.ts';

/** What iOS and Android add to a page for an app that listens. */
const bridges = `window.told = {};
window.webkit = { messageHandlers: { unread: { postMessage: (count) => { told.ios = count } } } };
window.app = { unread: (count) => { told.android = count } };`;

/** The page that the documentation shows, with the addresses of this test. */
async function recipe(bffUrl: string, token: string): Promise<string> {
  const [, html] = /```html\n([^]*?)```/.exec(await readFile('docs/webview.md', 'utf8'))!;
  return html!.replace('https://support.example.com', bffUrl).replace('{token}', token);
}

test('in a web view the page of the documentation shows a signed-in customer’s conversation, and tells the app of answers', async ({
  browser,
  stack,
  desk,
}) => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  });
  const page = await context.newPage();
  await page.addInitScript(bridges);
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
  await expect.poll(() => page.evaluate('told')).toEqual({ ios: 1, android: 1 });
  const frame = await page.locator('deskside-widget').boundingBox();
  expect(frame).toEqual({ x: 0, y: 0, width: 390, height: 844 });
  expect(await accessibilityFaults(page)).toEqual([]);
  await context.close();
});
