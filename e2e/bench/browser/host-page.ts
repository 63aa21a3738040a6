import { noTickets } from '../../screens/scenes.ts';
import { noteSmoothness, smoothness } from './measure.ts';
import { type PageTarget, visitPage } from './visit.ts';
import { figure, type Figure } from '../report/figure.ts';

const slowDown = 4;

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
  /** CPU time of the thread in microseconds. It excludes other work of the machine. */
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
const load = (target: PageTarget, isBare: boolean) =>
  visitPage(target, async ({ page, context, bff, copy, launcher }): Promise<Load> => {
    bff.show(noTickets(copy));
    const session = await context.newCDPSession(page);
    await session.send('Performance.enable');
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowDown });
    await noteSmoothness(page);
    await target.browser.startTracing(page, { categories: ['devtools.timeline'] });
    if (isBare) await page.route('**/widget.js', (route) => route.abort());
    await page.goto(target.origin);
    if (!isBare) await launcher.waitFor();
    const noted = await smoothness(page);
    const ownMs = longestOwnMs(await target.browser.stopTracing());
    const { metrics } = await session.send('Performance.getMetrics');
    const ms = (name: string) => metrics.find((metric) => metric.name === name)!.value * 1000;
    return { ...noted, ownMs, scriptMs: ms('ScriptDuration'), taskMs: ms('TaskDuration') };
  });

/** The host page of the journeys with the widget's script beside the same page without it, with a fast network. */
export async function benchHostPage(target: PageTarget, rounds: number): Promise<Figure[]> {
  const bare: Load[] = [];
  const loads: Load[] = [];
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await load(target, true));
    loads.push(await load(target, false));
  }
  const table = 'The host page before the panel is opened, at 4× CPU slow-down';
  const compared = (what: string, unit: string, of: (load: Load) => number, aim?: string) =>
    figure({
      table,
      what,
      unit,
      of: loads.map(of),
      beside: { 'without the script': bare.map(of) },
      ...(aim && { aim }),
    });
  return [
    compared('layout shift', '', ({ shift }) => shift, '0'),
    compared('longest task over 50 ms', 'ms', ({ longTasksMs }) => Math.max(0, ...longTasksMs), '0'),
    compared('main thread in scripts', 'ms', ({ scriptMs }) => scriptMs),
    compared('main thread in all', 'ms', ({ taskMs }) => taskMs),
    figure({
      table,
      what: 'longest run of our own script, processor time',
      unit: 'ms',
      of: loads.map(({ ownMs }) => ownMs),
      aim: 'under 50',
    }),
  ];
}
