import { copies } from '../screens/copy.ts';
import { chippedId, longThread } from '../screens/scenes.ts';
import { noteSmoothness, smoothness } from './measure.ts';
import { loadAll, type Figure, panelFrame, panelSession, type Place, visitPlace } from './place.ts';

const messageCount = 2_000;
const steps = 180;

/** How far each step goes, CSS pixels. */
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
const scrollThrough = (place: Place, slowDown: number, stepPx: number | null) =>
  visitPlace(place, async (visit): Promise<Scrolled> => {
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
        // Functions with a name do not get into the page: tsx wraps them in a helper that is not there.
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

export async function benchScrolling(place: Place): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const slowDown of [1, 4])
    for (const { name, stepPx } of ways) {
      const { gapsMs, openedMs, loadedMs, longTasksMs } = await scrollThrough(place, slowDown, stepPx);
      const sorted = gapsMs.toSorted((a, b) => a - b);
      const median = Math.round(sorted[Math.floor(steps / 2)]!);
      figures.push(
        {
          what: `until it is open, CPU ${slowDown}× slower`,
          value: `${Math.round(openedMs)} ms`,
          beside: `all of it loaded: ${Math.round(loadedMs)} ms; longest task until then: ${Math.max(0, ...longTasksMs)} ms`,
        },
        {
          what: `frames over 50 ms, ${name}, CPU ${slowDown}× slower`,
          value: `${sorted.filter((gap) => gap > 50).length} of ${steps}`,
          beside: `aim: 0; median ${median} ms, longest ${Math.round(sorted.at(-1)!)} ms; a screen of 60 Hz: 17 ms`,
        },
      );
    }
  return figures;
}
