import type { Browser, CDPSession, Page, Request } from '@playwright/test';
import { type Contender, formOf } from '../peers/contender.ts';
import { heapMb, noteSmoothness, smoothness } from './measure.ts';

/** Slow 4G as Lighthouse has it where the browser itself slows down requests; a mid-range telephone's processor. */
const network = {
  offline: false,
  latency: 562.5,
  downloadThroughput: (1.6 * 1024 * 1024 * 0.9) / 8,
  uploadThroughput: (750 * 1024 * 0.9) / 8,
};
export const slowDown = 4;
const settleMs = 1_000;
/** Shorter interactions are not noted by browsers. */
const shortestInteractionMs = 16;

export interface Loaded {
  /** From the start of the navigation. */
  loadMs: number;
  launcherMs: number | null;
  /** The parts over 50 ms of all tasks. */
  blockingMs: number;
  shift: number;
  heapMb: number;
  requests: number;
}

export interface Opened {
  /** From the press of the launcher. */
  typingMs: number;
  /** The longest interaction so far, as INP counts it. */
  inpMs: number;
  requests: number;
}

/** Begins to note presses and how long the page took to show something after them. */
const notePresses = (page: Page) =>
  page.addInitScript((threshold) => {
    const presses = { at: 0, inpMs: threshold };
    Object.assign(window, { presses });
    addEventListener('pointerdown', (event) => (presses.at = performance.timeOrigin + event.timeStamp), true);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as PerformanceEventTiming[])
        if (entry.interactionId) presses.inpMs = Math.max(presses.inpMs, entry.duration);
    }).observe({ type: 'event', durationThreshold: threshold, buffered: true } as PerformanceObserverInit);
  }, shortestInteractionMs);

const pressed = (page: Page) =>
  page.evaluate(() => (window as unknown as { presses: { at: number; inpMs: number } }).presses);
/** On the same clock as the page's. */
const now = () => performance.timeOrigin + performance.now();

/** A visit in a separate window on a slow phone. The cache is kept until the visit ends. */
export async function visitSlowly<T>(
  browser: Browser,
  use: (visit: ReturnType<typeof createSlowVisit>) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', network);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowDown });
    await noteSmoothness(page);
    await notePresses(page);
    return await use(createSlowVisit(page, session));
  } finally {
    await context.close();
  }
}

function createSlowVisit(page: Page, session: CDPSession) {
  let requests = 0;
  page.on('request', (request) => {
    if (/^http(?!.*favicon)/.test(request.url())) requests += 1;
  });
  return {
    /** Loads the page with the contender's tag, or without any. */
    async load(url: string, contender: Contender | null): Promise<Loaded> {
      requests = 0;
      const begun = now();
      const loaded = page.goto(url, { waitUntil: 'load' }).then(() => now() - begun);
      if (contender) await page.locator(contender.launcher).waitFor();
      const launcherMs = contender ? now() - begun : null;
      const loadMs = await loaded;
      await page.waitForTimeout(settleMs);
      const { longTasksMs, shift } = await smoothness(page);
      return {
        loadMs,
        launcherMs,
        blockingMs: longTasksMs.reduce((sum, ms) => sum + Math.max(0, ms - 50), 0),
        shift,
        heapMb: await heapMb(session),
        requests: requests - 1,
      };
    },
    /** Hovers over the launcher, as a pointer does before a press. */
    async hover({ launcher }: Contender): Promise<void> {
      await page.locator(launcher).hover();
      await page.waitForLoadState('networkidle');
      await page.waitForTimeout(4 * settleMs);
    },
    /** Presses the launcher and waits until the customer can type. */
    async open(contender: Contender): Promise<Opened> {
      await page.locator(contender.launcher).click();
      await formOf(page, contender).locator(contender.field).first().waitFor();
      const shownAt = now();
      // Waits for the next frame, and then for the reports of the observers.
      await smoothness(page);
      const { at, inpMs } = await pressed(page);
      return { typingMs: shownAt - at, inpMs, requests: requests - 1 };
    },
    /** Opens, fills in and presses "Send" at once; milliseconds from the press of the launcher to the request. */
    async openAndSend(contender: Contender): Promise<{ typingMs: number; sentMs: number }> {
      const sent = page.waitForEvent('request', (request: Request) => contender.isSend(request)).then(now);
      await page.locator(contender.launcher).click();
      const form = formOf(page, contender);
      await form.locator(contender.field).first().waitFor();
      const shownAt = now();
      // Read before the next press, which would replace this entry.
      const { at } = await pressed(page);
      for (const [field, text] of Object.entries(contender.filled))
        await form.locator(field).first().fill(text);
      await form.locator(contender.send).first().click();
      return { typingMs: shownAt - at, sentMs: (await sent) - at };
    },
  };
}
