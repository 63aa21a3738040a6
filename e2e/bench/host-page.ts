import { copies } from '../screens/copy.ts';
import { noTickets } from '../screens/scenes.ts';
import { noteSmoothness, smoothness } from './measure.ts';
import { type Figure, type Place, visitPlace } from './place.ts';

const slowDown = 4;
const rounds = 7;

interface Load {
  longTasksMs: number[];
  shift: number;
  /** Main-thread milliseconds in scripts, layout and all else. */
  scriptMs: number;
  taskMs: number;
  /** CPU milliseconds of the longest run of the widget's script, its start included. */
  ownMs: number;
}

interface TraceEvent {
  name: string;
  /** CPU time of the thread, in microseconds: what else the machine does is not in it. */
  tdur?: number;
  args: { data?: { url?: string } };
}

/** Starts of scripts, and calls into them. */
const runs = new Set(['EvaluateScript', 'FunctionCall']);

function longestOwnMs(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const own = traceEvents.filter(
    ({ name, args }) => runs.has(name) && args.data?.url?.endsWith('/widget.js'),
  );
  return Math.max(0, ...own.map(({ tdur = 0 }) => tdur / 1000));
}

/** Loads the host page once; without the script when `isBare`. */
const load = (place: Place, isBare: boolean) =>
  visitPlace(place, async ({ page, context, bff, copy, launcher }): Promise<Load> => {
    bff.show(noTickets(copy));
    const session = await context.newCDPSession(page);
    await session.send('Performance.enable');
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowDown });
    await noteSmoothness(page);
    await place.browser.startTracing(page, { categories: ['devtools.timeline'] });
    if (isBare) await page.route('**/widget.js', (route) => route.abort());
    await page.goto(place.origin);
    if (!isBare) await launcher.waitFor();
    const noted = await smoothness(page);
    const ownMs = longestOwnMs(await place.browser.stopTracing());
    const { metrics } = await session.send('Performance.getMetrics');
    const ms = (name: string) => metrics.find((metric) => metric.name === name)!.value * 1000;
    return { ...noted, ownMs, scriptMs: ms('ScriptDuration'), taskMs: ms('TaskDuration') };
  });

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** From the press of the launcher until the form can be used. */
const opening = (place: Place, isWarm: boolean) =>
  visitPlace(place, async (visit) => {
    await visit.arrive(noTickets(copies.en));
    await visit.launcher.waitFor();
    if (isWarm) {
      await visit.launcher.hover();
      await visit.app.locator('#subject').waitFor({ state: 'attached' });
    }
    const begun = performance.now();
    await visit.launcher.click();
    await visit.app.locator('#subject').waitFor();
    return performance.now() - begun;
  });

async function repeat<T>(run: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let round = 0; round < rounds; round += 1) results.push(await run());
  return results;
}

export async function benchHostPage(place: Place): Promise<Figure[]> {
  const bare = await repeat(() => load(place, true));
  const loads = await repeat(() => load(place, false));
  const long = loads.flatMap(({ longTasksMs }) => longTasksMs);
  const longBare = bare.flatMap(({ longTasksMs }) => longTasksMs);
  const ofMedian = (of: Load[], name: 'ownMs' | 'scriptMs' | 'taskMs') =>
    median(of.map((each) => each[name])).toFixed(1);
  const cold = median(await repeat(() => opening(place, false)));
  const warm = median(await repeat(() => opening(place, true)));
  return [
    {
      what: 'layout shift, sum of all loads',
      value: String(loads.reduce((sum, { shift }) => sum + shift, 0)),
      beside: 'aim: 0',
    },
    {
      what: `tasks over 50 ms, in ${rounds} loads`,
      value: String(long.length),
      beside: `aim: 0; the page without the script: ${longBare.length}`,
    },
    {
      what: 'the longest of them',
      value: `${Math.max(0, ...long)} ms`,
      beside: `without the script: ${Math.max(0, ...longBare)} ms`,
    },
    {
      what: 'longest run of our own script, CPU time, median',
      value: `${ofMedian(loads, 'ownMs')} ms`,
      beside: `aim: under 50 ms; the longest of all: ${Math.max(...loads.map(({ ownMs }) => ownMs)).toFixed(1)} ms`,
    },
    {
      what: 'main thread in scripts, median',
      value: `${ofMedian(loads, 'scriptMs')} ms`,
      beside: `without the script: ${ofMedian(bare, 'scriptMs')} ms`,
    },
    {
      what: 'main thread in all, median',
      value: `${ofMedian(loads, 'taskMs')} ms`,
      beside: `without the script: ${ofMedian(bare, 'taskMs')} ms`,
    },
    {
      what: 'launcher pressed to form shown, median, no slow-down',
      value: `${Math.round(cold)} ms`,
      beside: `after a hover: ${Math.round(warm)} ms`,
    },
  ];
}
