import { copies } from '../../screens/copy.ts';
import { chippedId, longThread } from '../../screens/scenes.ts';
import { noteSmoothness, smoothness } from './measure.ts';
import { loadAll, panelFrame, panelSession, type PageTarget, visitPage } from './visit.ts';
import { figure, type Figure } from '../report/figure.ts';

const messageCount = 2_000;
const steps = 180;

/** The distance of each step in CSS pixels. */
const ways = [
  { name: 'flung at 7,200 px/s', stepPx: 120 },
  { name: 'dragged to its top in 3 s', stepPx: null },
] as const;

interface Scrolled {
  /** Between frames. */
  gapsMs: number[];
  openedMs: number;
  loadedMs: number;
  /** Of the panel, from its opening until all messages are loaded. */
  longTasksMs: number[];
}

/** Milliseconds, while the conversation is scrolled up from its newest message. */
const scrollThrough = (target: PageTarget, slowDown: number, stepPx: number | null) =>
  visitPage(target, async (visit): Promise<Scrolled> => {
    await noteSmoothness(visit.page);
    await visit.arrive(longThread(copies.en, messageCount));
    await visit.open();
    const session = await panelSession(visit);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowDown });
    const begun = performance.now();
    await visit.open({ ticket: chippedId });
    await visit.app.getByText(`${messageCount}. `).waitFor();
    const openedMs = performance.now() - begun;
    await loadAll(visit, messageCount);
    const loadedMs = performance.now() - begun;
    const { longTasksMs } = await smoothness(panelFrame(visit.page));
    const gapsMs = await visit.app.getByRole('log').evaluate(
      async (log, [count, fixedPx]) => {
        const distance = fixedPx ?? (log.scrollHeight - log.clientHeight) / count;
        const gaps: number[] = [];
        // Named functions do not work in the page, because tsx wraps them in a helper that the page does not have.
        let last = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
        for (let step = 0; step < count; step += 1) {
          log.scrollBy(0, -distance);
          const at = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
          gaps.push(at - last);
          last = at;
        }
        return gaps;
      },
      [steps, stepPx] as const,
    );
    return { gapsMs, openedMs, loadedMs, longTasksMs };
  });

export async function benchScrolling(target: PageTarget): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const slowDown of [1, 4]) {
    const table = `A conversation of ${messageCount} messages, processor ${slowDown}× slower`;
    for (const { name, stepPx } of ways) {
      const { gapsMs, openedMs, loadedMs, longTasksMs } = await scrollThrough(target, slowDown, stepPx);
      const one = (what: string, unit: string, value: number, aim?: string) =>
        figure({ table, what: `${what}, ${name}`, unit, of: [value], ...(aim && { aim }) });
      figures.push(
        one('until it is open', 'ms', openedMs),
        one('until all of it is loaded', 'ms', loadedMs),
        one('longest task until then', 'ms', Math.max(0, ...longTasksMs)),
        one(`frames over 50 ms, of ${steps}`, '', gapsMs.filter((gap) => gap > 50).length, '0'),
        figure({ table, what: `between frames, ${name}`, unit: 'ms', of: gapsMs, aim: '17 at 60 Hz' }),
      );
    }
  }
  return figures;
}
