import type { CDPSession, Frame, Page } from '@playwright/test';

/** Counts live objects after a garbage collection, in all documents of the session's process. */
export async function countAlive(session: CDPSession): Promise<{ nodes: number; listeners: number }> {
  await session.send('HeapProfiler.collectGarbage');
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  const value = (name: string) => metrics.find((metric) => metric.name === name)!.value;
  return { nodes: value('Nodes'), listeners: value('JSEventListeners') };
}

/** Megabytes of JavaScript heap in use after a collection, in the session's process. */
export async function heapMb(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1024 / 1024;
}

/** Opens and closes the panel, each time until it is drawn. */
export const openAndClose = (page: Page, times: number) =>
  page.evaluate(async (count) => {
    const { Deskside } = window as unknown as { Deskside: (command: string) => void };
    for (let round = 0; round < count * 2; round += 1) {
      Deskside(round % 2 === 0 ? 'open' : 'close');
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    }
  }, times);

/** Begins to note the page's layout shifts and tasks of more than 50 ms; runs before anything else in the page. */
export const noteSmoothness = (page: Page) =>
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

export interface Smoothness {
  /** Sum of all layout shifts, those after input too. */
  shift: number;
  longTasksMs: number[];
}

/** The entries so far of a page without its frames, or of one of its frames. */
export const smoothness = (page: Page | Frame): Promise<Smoothness> =>
  page.evaluate(
    () =>
      new Promise<Smoothness>((resolve) => {
        // Entries reach their observers after the rendered frame that they belong to.
        const { noted } = window as unknown as { noted: Smoothness };
        requestAnimationFrame(() => setTimeout(() => resolve(noted), 100));
      }),
  );
