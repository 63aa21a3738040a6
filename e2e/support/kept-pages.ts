import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test';
import { chromiumLaunch } from './chromium.ts';

/** A browser with its back/forward cache, which Playwright turns off. */
export const launchKeeping = (): Promise<Browser> =>
  chromium.launch({ ...chromiumLaunch, ignoreDefaultArgs: ['--disable-back-forward-cache'] });

/** Marks a page that the browser shows again from its back/forward cache: `html[data-kept]`. */
export const markWhenKept = (page: Page) =>
  page.addInitScript(() => {
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) document.documentElement.dataset['kept'] = 'yes';
    });
  });

/** Evaluates in the first frame of the page by the browser itself: Playwright loses a kept page's frames. */
export async function inFrame(cdp: CDPSession, expression: string): Promise<string> {
  const { frameTree } = await cdp.send('Page.getFrameTree');
  const frameId = frameTree.childFrames![0]!.frame.id;
  const { executionContextId: contextId } = await cdp.send('Page.createIsolatedWorld', { frameId });
  const { result } = await cdp.send('Runtime.evaluate', { expression, contextId });
  return result.value;
}
