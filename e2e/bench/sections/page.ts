import { type Browser, chromium, type LaunchOptions } from '@playwright/test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumLaunch } from '../../support/chromium.ts';
import { startPageServer } from '../servers/asset-server.ts';
import { startBuiltBff } from '../servers/built-bff.ts';
import { hostPage, type PageName } from '../pages/pages.ts';
import type { Contender } from '../peers/contender.ts';
import { startContenders } from '../peers/contenders.ts';
import { figure, type Figure, type Plot, type Section, summarize } from '../report/figure.ts';
import { startSlimService } from '../servers/slim-service.ts';
import { slowDown, visitSlowly } from '../browser/slow-visit.ts';
import type { BenchOptions } from './section.ts';

/** Runs frames in the page's process, as phones do. Work that slows down the page then also slows down its frames. */
const oneProcess: LaunchOptions = {
  ...chromiumLaunch,
  args: [
    ...chromiumLaunch.args!.map((arg) =>
      arg.startsWith('--disable-features=') ? `${arg},IsolateOrigins,site-per-process` : arg,
    ),
    '--disable-site-isolation-trials',
  ],
};

const bare = 'without a widget';
const measures = {
  launcherMs: { what: 'launcher visible', unit: 'ms' },
  typingMs: { what: 'click to typing', unit: 'ms' },
  sentMs: { what: 'click to the request that sends, filled in at once', unit: 'ms' },
  hoveredMs: { what: 'click to typing, after a hover', unit: 'ms' },
  againLauncherMs: { what: 'launcher visible, returning', unit: 'ms' },
  againTypingMs: { what: 'click to typing, returning', unit: 'ms' },
  inpMs: { what: 'first press, as INP counts it (16 is the least that is noted)', unit: 'ms' },
  loadMs: { what: "page's load event", unit: 'ms' },
  blockingMs: { what: 'tasks, parts over 50 ms', unit: 'ms' },
  shift: { what: 'layout shift, sum', unit: '' },
  heapMb: { what: 'heap before the panel is opened', unit: 'MB' },
  requests: { what: 'requests until the launcher is there', unit: '' },
  openRequests: { what: 'requests until typing, after a hover', unit: '' },
} as const;
type Measure = keyof typeof measures;
type Round = Partial<Record<Measure, number>>;

/** Three visits: cold and sent; after a hover, and again with a warm cache. */
async function measureOnce(browser: Browser, url: string, contender: Contender | null): Promise<Round> {
  const cold = await visitSlowly(browser, async (visit) => {
    const { launcherMs, ...loaded } = await visit.load(url, contender);
    if (!contender) return loaded;
    return { ...loaded, launcherMs: launcherMs!, ...(await visit.openAndSend(contender)) };
  });
  if (!contender) return cold;
  const again = await visitSlowly(browser, async (visit) => {
    await visit.load(url, contender);
    await visit.hover(contender);
    const { typingMs, inpMs, requests } = await visit.open(contender);
    const loaded = await visit.load(url, contender);
    const reopened = await visit.open(contender);
    return {
      hoveredMs: typingMs,
      inpMs,
      openRequests: requests,
      againLauncherMs: loaded.launcherMs!,
      againTypingMs: reopened.typingMs,
    };
  });
  return { ...cold, ...again };
}

function figuresOf(table: string, rounds: ReadonlyMap<string, Round[]>): Figure[] {
  const [ours, ...others] = [...rounds].map(([name, all]) => ({
    name,
    of: (measure: Measure) => all.flatMap((round) => round[measure] ?? []),
  }));
  return Object.entries(measures).map(([measure, { what, unit }]) =>
    figure({
      table,
      what,
      unit,
      of: ours!.of(measure as Measure),
      beside: Object.fromEntries(
        others.flatMap(({ name, of }) => {
          const values = of(measure as Measure);
          return values.length > 0 ? [[name, values]] : [];
        }),
      ),
      ...(measure === 'shift' && { aim: '0' }),
    }),
  );
}

function plotOf(table: string, rounds: ReadonlyMap<string, Round[]>): Plot {
  const moments = {
    launcherMs: 'launcher visible',
    typingMs: 'click to typing',
    againTypingMs: 'click to typing, returning',
  };
  return {
    name: 'page',
    title: `${table}: seconds`,
    x: { name: '', isLog: false, categories: Object.values(moments) },
    y: { name: 's' },
    series: [...rounds]
      .filter(([name]) => name !== bare)
      .map(([name, all]) => ({
        name,
        points: Object.entries(moments).map(([measure, what]) => [
          what,
          Math.round(summarize(all.map((round) => round[measure as Measure]!)).median) / 1_000,
        ]),
      })),
  };
}

const titles: Record<PageName, string> = { blank: 'A blank page', heavy: 'A heavy page' };

/** Measures the cost of a page with our tag, without it, and with the tags of peers, on a slow phone and network. */
export async function benchPage({ isQuick }: BenchOptions): Promise<Section> {
  const roundCount = isQuick ? 2 : 5;
  const service = await startSlimService();
  const dir = await mkdtemp(join(tmpdir(), 'deskside-bench-'));
  let tags: Record<string, string> = {};
  const pages = await startPageServer((path) => {
    const [, page, name] = path.split('/');
    return hostPage(page as PageName, tags[decodeURIComponent(name ?? '')] ?? '');
  });
  const bff = await startBuiltBff(service.url, dir, { ALLOWED_ORIGINS: pages.url });
  const { contenders, notes, stop } = await startContenders(bff.url);
  tags = Object.fromEntries(contenders.map(({ name, tag }) => [name, tag]));
  const browser = await chromium.launch(oneProcess);
  try {
    const figures: Figure[] = [];
    const plots: Plot[] = [];
    for (const page of ['blank', 'heavy'] as const) {
      const rounds = new Map<string, Round[]>(
        [...contenders.map(({ name }) => name), bare].map((name) => [name, []]),
      );
      for (let round = 0; round < roundCount; round += 1)
        for (const [name, all] of rounds) {
          const contender = contenders.find((each) => each.name === name) ?? null;
          const url = `${pages.url}/${page}/${encodeURIComponent(name)}`;
          all.push(await measureOnce(browser, url, contender));
        }
      figures.push(...figuresOf(titles[page], rounds));
      if (page === 'heavy') plots.push(plotOf(titles[page], rounds));
    }
    return {
      figures,
      plots,
      notes: [
        `Chromium with a processor ${slowDown}× slower and slow 4G as Lighthouse has it (562.5 ms a request, 1.6 Mbit/s down ` +
          'and 750 kbit/s up, a tenth less of both), page and frames in one process, each visit with an empty cache, ' +
          '"returning" apart. A click is without a hover before it, as on a touch screen. ' +
          'Filling in and pressing "Send" is done by a program, which takes some tens of milliseconds a field.',
        ...notes,
      ],
    };
  } finally {
    await browser.close();
    await Promise.all([pages.stop(), bff.stop(), stop()]);
    await service.stop();
    await rm(dir, { recursive: true, force: true });
  }
}
