import type { CDPSession, Page } from '@playwright/test';
import { expect, test } from '../support/fixtures.ts';

/** Counts live objects after a garbage collection, in all documents of the session's process. */
async function countAlive(session: CDPSession): Promise<{ nodes: number; listeners: number }> {
  await session.send('HeapProfiler.collectGarbage');
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  const value = (name: string) => metrics.find((metric) => metric.name === name)!.value;
  return { nodes: value('Nodes'), listeners: value('JSEventListeners') };
}

/** Opens and closes the panel, each time until it is drawn. */
const openAndClose = (page: Page, times: number) =>
  page.evaluate(async (count) => {
    const { Deskside } = window as unknown as { Deskside: (command: string) => void };
    for (let round = 0; round < count * 2; round += 1) {
      Deskside(round % 2 === 0 ? 'open' : 'close');
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }
  }, times);

/** Begins to note the page's layout shifts and tasks of more than 50 ms; runs before anything else in the page. */
const noteSmoothness = (page: Page) =>
  page.addInitScript(() => {
    const noted = { shift: 0, longTasksMs: [] as number[] };
    Object.assign(window, { noted });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) noted.shift += (entry as unknown as { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) noted.longTasksMs.push(Math.round(duration));
    }).observe({ type: 'longtask', buffered: true });
  });

interface Smoothness {
  /** Sum of all layout shifts, those after input too. */
  shift: number;
  longTasksMs: number[];
}

/** The entries so far of a page without its frames. */
const smoothness = (page: Page): Promise<Smoothness> =>
  page.evaluate(
    () =>
      new Promise<Smoothness>((resolve) => {
        // Entries reach their observers after the rendered frame that they belong to.
        const { noted } = window as unknown as { noted: Smoothness };
        requestAnimationFrame(() => setTimeout(() => resolve(noted), 100));
      }),
  );

test('the host page does not move when the launcher is added, nor when the panel opens and closes', async ({
  page,
  stack,
  widget,
}) => {
  await noteSmoothness(page);
  await page.goto(stack.host.origin);
  await widget.launcher.hover();
  await widget.open();
  await widget.launcher.click();
  await expect(page.locator('iframe[title="Support"]')).toBeHidden();
  expect((await smoothness(page)).shift).toBe(0);

  // The same observer does see what moves.
  await page.locator('h1').evaluate((heading) => {
    heading.style.marginTop = '120px';
  });
  expect((await smoothness(page)).shift).toBeGreaterThan(0);
});

test('opening and closing leaks no element and no listener, on the page or in the panel', async ({
  page,
  stack,
  widget,
}) => {
  const rounds = 50;
  await page.goto(stack.host.origin);
  await widget.open();
  await widget.launcher.click();
  const session = await page.context().newCDPSession(page);
  await openAndClose(page, 5);
  const before = await countAlive(session);
  await openAndClose(page, rounds);
  const after = await countAlive(session);
  // Whatever is left once a round comes to at least as many.
  expect(after.nodes - before.nodes).toBeLessThan(rounds);
  expect(after.listeners - before.listeners).toBeLessThan(rounds);
});
