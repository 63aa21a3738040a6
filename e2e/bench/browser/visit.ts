import type { Browser, CDPSession, Frame, Page } from '@playwright/test';
import type { CannedBff } from '../../screens/canned-bff.ts';
import { createVisit, type Visit } from '../../screens/visit.ts';

/** Where a bench measures. */
export interface PageTarget {
  browser: Browser;
  bff: CannedBff;
  /** Of the host page; another site than the panel's. */
  origin: string;
}

/** Runs a visit in a separate browser window, and closes the window afterwards. */
export async function visitPage<T>(
  { browser, bff, origin }: PageTarget,
  use: (visit: Visit) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' });
  const page = await context.newPage();
  try {
    return await use(createVisit({ page, context, bff, origin, language: 'en' }));
  } finally {
    await context.close();
  }
}

/** The panel's frame; it must be open. */
export function panelFrame(page: Page): Frame {
  const frame = page.frames().find((each) => each.parentFrame() !== null);
  if (!frame) throw new Error('the panel is not there');
  return frame;
}

/** A session with the panel's process; it must be open. */
export const panelSession = ({ page, context }: Visit): Promise<CDPSession> =>
  context.newCDPSession(panelFrame(page));

/** A conversation first shows its newest messages. Loads earlier messages until there are this many. */
export async function loadAll({ app }: Visit, count: number): Promise<void> {
  const log = app.getByRole('log');
  await log.press('Home');
  await app
    .locator('.message')
    .nth(count - 1)
    .waitFor({ state: 'attached' });
  await log.evaluate((element) => element.scrollTo(0, 0));
}
