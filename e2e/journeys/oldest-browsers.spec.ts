import { signInAgent } from '../support/agent.ts';
import { expect, newEmail, test } from '../support/fixtures.ts';

/**
 * What at least one of the oldest browsers (`oldestBrowsers` in vite.config.ts) lacks, of what the scripts could use
 * without a build error.
 */
const missing: [holder: string, members: string[]][] = [
  ['URL', ['canParse', 'parse']],
  ['AbortSignal', ['any']],
  ['Promise', ['withResolvers', 'try']],
  ['Object', ['groupBy']],
  ['Map', ['groupBy']],
  ['Array', ['fromAsync']],
  ['RegExp', ['escape']],
  ['Uint8Array', ['fromBase64', 'fromHex']],
  ['Set.prototype', ['union', 'intersection', 'difference', 'isSubsetOf']],
  ['Iterator.prototype', ['map', 'filter', 'find', 'some', 'toArray']],
  ['ReadableStream.prototype', ['values']],
  ['Response', ['json']],
  ['Element.prototype', ['checkVisibility', 'moveBefore', 'setHTMLUnsafe']],
  ['HTMLElement.prototype', ['showPopover', 'hidePopover', 'togglePopover']],
  ['Document.prototype', ['startViewTransition']],
  ['window', ['requestIdleCallback', 'scheduler', 'cookieStore', 'Observable', 'navigation']],
  ['Navigator.prototype', ['connection', 'userAgentData']],
];

test('without what the oldest browsers lack, a ticket with a link is sent, answered and found in the list', async ({
  page,
  stack,
  widget,
}) => {
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => void errors.push(message));
  await page.addInitScript((all) => {
    for (const [path, members] of all) {
      const holder = path.split('.').reduce<unknown>((at, name) => Object(at)[name], globalThis);
      for (const member of members) Reflect.deleteProperty(Object(holder), member);
    }
    Reflect.deleteProperty(ReadableStream.prototype, Symbol.asyncIterator);
  }, missing);
  const agent = await signInAgent(stack);
  const subject = `Cup ${crypto.randomUUID().slice(0, 8)}`;
  await page.goto(stack.host.origin);
  await page.evaluate(() => window.Deskside!('update', { logo: '/logo.svg' }));
  await widget.open();
  await widget.write({ email: newEmail(), subject, description: 'It is chipped: https://example.com/cup' });
  expect(
    await page
      .frames()
      .at(-1)!
      .evaluate(() => 'canParse' in URL),
  ).toBe(false);
  await widget.send.click();
  await widget.conversation.getByText('Sent', { exact: true }).waitFor();
  await expect(widget.conversation.getByRole('link', { name: 'https://example.com/cup' })).toBeVisible();
  await agent.answer(subject, 'See **this page**: https://example.com/new');
  await expect(widget.conversation.getByRole('link', { name: 'https://example.com/new' })).toBeVisible();
  await widget.back.click();
  await expect(widget.app.getByText(subject)).toBeVisible();
  expect(errors).toEqual([]);
});
