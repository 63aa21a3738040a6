import { copies } from '../screens/copy.ts';
import { chippedId, longThread } from '../screens/scenes.ts';
import { allDrawn, type Figure, panelSession, type Place, visitPlace } from './place.ts';

const messageCount = 2_000;
const steps = 180;

/** Milliseconds between frames while the conversation is scrolled from its newest message to its oldest. */
const scrollThrough = (place: Place, slowDown: number) =>
  visitPlace(place, async (visit): Promise<{ gapsMs: number[]; openedMs: number }> => {
    await visit.arrive(longThread(copies.en, messageCount));
    await visit.open();
    const session = await panelSession(visit);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowDown });
    const begun = performance.now();
    await visit.open({ ticket: chippedId });
    await visit.app.getByText(`${messageCount}. `).waitFor();
    const openedMs = performance.now() - begun;
    await allDrawn(visit, messageCount);
    const gapsMs = await visit.app.getByRole('log').evaluate(async (log, count) => {
      const distance = (log.scrollHeight - log.clientHeight) / count;
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
    }, steps);
    return { gapsMs, openedMs };
  });

export async function benchScrolling(place: Place): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const slowDown of [1, 4]) {
    const { gapsMs, openedMs } = await scrollThrough(place, slowDown);
    const sorted = gapsMs.toSorted((a, b) => a - b);
    figures.push(
      {
        what: `frames over 50 ms, CPU slowed ${slowDown}×`,
        value: `${sorted.filter((gap) => gap > 50).length} of ${steps}`,
        beside: 'aim: 0',
      },
      {
        what: `median and longest frame, CPU slowed ${slowDown}×`,
        value: `${Math.round(sorted[Math.floor(steps / 2)]!)}, ${Math.round(sorted.at(-1)!)} ms`,
        beside: 'a screen of 60 Hz: 17 ms',
      },
      {
        what: `until such a thread is open, CPU slowed ${slowDown}×`,
        value: `${Math.round(openedMs)} ms`,
        beside: '',
      },
    );
  }
  return figures;
}
