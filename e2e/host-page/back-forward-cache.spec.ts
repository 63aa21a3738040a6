import { type CDPSession, chromium, type Page } from '@playwright/test';
import { heldTickets } from '../support/at-service.ts';
import { expect, newEmail } from '../support/fixtures.ts';
import { test } from '../support/fronted.ts';
import { Widget } from '../support/pages/widget.ts';

/** What the frame shows, asked of the browser itself: Playwright loses a kept page's frames. */
async function frameText(cdp: CDPSession): Promise<string> {
  const { frameTree } = await cdp.send('Page.getFrameTree');
  const frameId = frameTree.childFrames![0]!.frame.id;
  const { executionContextId: contextId } = await cdp.send('Page.createIsolatedWorld', { frameId });
  const expression = 'document.body.innerText';
  const { result } = await cdp.send('Runtime.evaluate', { expression, contextId });
  return result.value;
}

/** Marks a page that the browser had kept and shows again, without loading it anew. */
const markWhenKept = (page: Page) =>
  page.addInitScript(() => {
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) document.documentElement.dataset['kept'] = 'yes';
    });
  });

for (const when of ['before', 'after'] as const) {
  test(`a page that is left just ${when} the service has its ticket, and is kept by the browser: sent once`, async ({
    stack,
    launchOptions,
  }) => {
    const ignoreDefaultArgs = ['--disable-back-forward-cache'];
    const browser = await chromium.launch({ ...launchOptions, ignoreDefaultArgs });
    try {
      const page = await browser.newPage();
      await markWhenKept(page);
      const widget = new Widget(page);
      const subject = `Kept ${crypto.randomUUID().slice(0, 8)}`;
      await page.goto(stack.host.origin);
      await widget.open();
      await widget.write({ email: newEmail(), subject, description: 'The lid is chipped.' });
      const held = stack.front.hold(when);
      await widget.send.click();
      await held.arrived;
      await page.goto(`${stack.serviceUrl}/desk`);
      held.release();
      await expect.poll(() => heldTickets(stack, subject)).toHaveLength(1);
      await page.evaluate(() => history.back());
      await expect(page.locator('html[data-kept]')).toBeVisible();
      const cdp = await page.context().newCDPSession(page);
      const shown = () => frameText(cdp);
      await expect.poll(shown, { timeout: 30_000 }).toMatch(/chipped\.\s+Sent/);
      expect(await heldTickets(stack, subject)).toHaveLength(1);
    } finally {
      await browser.close();
    }
  });
}
