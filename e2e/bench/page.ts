import { type Browser, chromium, type Frame, type Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { paths } from '../../shared/contract/paths.ts';
import { startFakeService } from '../../scripts/fake-service.ts';
import { chromiumLaunch } from '../support/chromium.ts';
import { heavyPage } from './heavy-page.ts';
import { performanceOf } from './lighthouse.ts';
import type { BenchOptions, Figure, Section } from './report.ts';
import { startBuiltBff } from './servers.ts';

/** Slow 4G as Lighthouse has it where the browser itself slows down requests; a mid-range telephone's processor. */
const network = {
  offline: false,
  latency: 562.5,
  downloadThroughput: (1.6 * 1024 * 1024 * 0.9) / 8,
  uploadThroughput: (750 * 1024 * 0.9) / 8,
};
const slowDown = 4;
const settleMs = 1_000;

/** Frames in the page's process, as phones have them: work that slows down the page also slows down its frames. */
const oneProcess = {
  ...chromiumLaunch,
  args: [
    ...chromiumLaunch.args!.map((arg) =>
      arg.startsWith('--disable-features=') ? `${arg},IsolateOrigins,site-per-process` : arg,
    ),
    '--disable-site-isolation-trials',
  ],
};

const measures = {
  loadMs: "page's load event",
  launcherMs: 'launcher visible',
  scriptMs: 'time of its script before the click',
  typingMs: 'click to typing',
  sentMs: 'click to the request that sends, filled in at once',
  hoveredMs: 'click to typing, after a hover',
  againLauncherMs: 'launcher visible, returning',
  againTypingMs: 'click to typing, returning',
} as const;
type Measure = keyof typeof measures;
type Round = Partial<Record<Measure, number>>;

type Moment = 'launcher' | 'press' | 'frame' | 'field';
type Noting = typeof window & { moments: Partial<Record<Moment, number>> };

/** Of Chromium's trace; times in microseconds. */
interface TraceEvent {
  name: string;
  ts: number;
  dur?: number;
  args: { data?: { url?: string } };
}

/** The launcher of either widget. */
export const launcher = 'button[aria-expanded], #floor-launcher';
const filled = { '[name=customer_email]': 'ada@example.com', '[name=description]': 'What now?' };

/** On the same clock as the page's. */
const now = () => performance.timeOrigin + performance.now();

/** A visit in a separate window on a slow phone. The cache is kept until the visit ends. */
async function visitSlowly<T>(browser: Browser, use: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', network);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowDown });
    await page.addInitScript({ path: 'e2e/bench/note-moments.js' });
    return await use(page);
  } finally {
    await context.close();
  }
}

/** Waits until the document has noted the moment. */
const momentOf = async (frame: Frame | Page, moment: Moment): Promise<number> => {
  const handle = await frame.waitForFunction((name) => (window as Noting).moments[name], moment);
  return (await handle.jsonValue())!;
};

async function load(page: Page, url: string, hasWidget: boolean): Promise<Round> {
  const begun = now();
  await page.goto(url, { waitUntil: 'load' });
  const loadMs = now() - begun;
  if (!hasWidget) return { loadMs };
  const launcherMs = (await momentOf(page, 'launcher')) - begun;
  await page.waitForTimeout(settleMs);
  return { loadMs, launcherMs };
}

/** The milliseconds that the page's thread compiled and ran the widget's script, which the trace names by its address. */
function scriptMsOf(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const runs = traceEvents
    .filter(
      ({ name, args }) =>
        ['v8.compile', 'EvaluateScript', 'FunctionCall'].includes(name) &&
        args.data?.url?.endsWith('/widget.js'),
    )
    .toSorted((a, b) => a.ts - b.ts);
  let end = 0;
  let sum = 0;
  for (const { ts, dur = 0 } of runs) {
    // One may contain others.
    sum += Math.max(0, ts + dur - Math.max(ts, end));
    end = Math.max(end, ts + dur);
  }
  return sum / 1_000;
}

/** Presses the launcher and waits until the customer can type. */
async function open(page: Page) {
  await page.locator(launcher).click();
  const pressedAt = await momentOf(page, 'press');
  const shownAt = await momentOf(page, 'frame');
  const typedAt = await momentOf(page.frames()[1]!, 'field');
  return { pressedAt, typingMs: Math.max(shownAt, typedAt) - pressedAt };
}

/** Two visits: cold and sent; after a hover, and again with a warm cache. */
async function measureOnce(browser: Browser, url: string): Promise<Round> {
  const cold = await visitSlowly(browser, async (page) => {
    await browser.startTracing(page, { categories: ['devtools.timeline', 'v8'] });
    const loaded = await load(page, url, true);
    const scriptMs = scriptMsOf(await browser.stopTracing());
    const sent = page
      .waitForEvent(
        'request',
        (request) => request.method() === 'POST' && request.url().endsWith(paths.tickets),
      )
      .then(now);
    const { pressedAt, typingMs } = await open(page);
    const form = page.frameLocator('iframe');
    for (const [field, text] of Object.entries(filled)) await form.locator(field).fill(text);
    await form.locator('form button[type=submit], form button:not([type])').first().click();
    return { ...loaded, scriptMs, typingMs, sentMs: (await sent) - pressedAt };
  });
  const again = await visitSlowly(browser, async (page) => {
    await load(page, url, true);
    await page.locator(launcher).hover();
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(4 * settleMs);
    const hovered = await open(page);
    const { launcherMs } = await load(page, url, true);
    const reopened = await open(page);
    return { hoveredMs: hovered.typingMs, againLauncherMs: launcherMs!, againTypingMs: reopened.typingMs };
  });
  return { ...cold, ...again };
}

/** A page with next to nothing but this tag. */
const plainPage = (tag: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>A page</title><h1>A page</h1>${tag}</html>`;

/** Serves the floor's files and the pages with each tag, compressed as by a content delivery network. */
export async function startPages(tagOf: (name: string) => string) {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, folder, name = ''] = request.url!.split('/');
    const isFloor = folder === 'floor';
    const body = isFloor
      ? await readFile(join('e2e/bench/floor', name)).catch(() => '')
      : (folder === 'plain' ? plainPage : heavyPage)(tagOf(name));
    response.writeHead(200, {
      'Content-Type': name.endsWith('.js') ? 'text/javascript' : 'text/html; charset=utf-8',
      'Content-Encoding': 'br',
      ...(isFloor && { 'Cache-Control': 'public, max-age=300, stale-while-revalidate=600' }),
    });
    response.end(brotliCompressSync(body));
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Another site than that of the BFF, as in production.
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    url,
    floorTag: `<script async src="${url}/floor/widget.js"></script>`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A heavy page with our tag, with the floor's, and without one, on a slow phone and network; a plain page with ours and without one. */
export async function benchPage({ isQuick }: BenchOptions): Promise<Section> {
  const service = await startFakeService();
  const tags: Record<string, string> = {};
  const pages = await startPages((name) => tags[name] ?? '');
  const bff = await startBuiltBff(service.url, { ALLOWED_ORIGINS: pages.url });
  tags['ours'] = `<script async src="${bff.url}/widget.js" data-brand="Acme"></script>`;
  tags['floor'] = pages.floorTag;
  const browser = await chromium.launch(oneProcess);
  try {
    const [ours, floor, bare]: [Round[], Round[], Round[]] = [[], [], []];
    for (let round = 0; round < (isQuick ? 2 : 5); round += 1) {
      ours.push(await measureOnce(browser, `${pages.url}/heavy/ours`));
      floor.push(await measureOnce(browser, `${pages.url}/heavy/floor`));
      bare.push(await visitSlowly(browser, (page) => load(page, `${pages.url}/heavy/none`, false)));
    }
    const figures = Object.entries(measures).map(([measure, what]): Figure => {
      const of = (rounds: Round[]) => rounds.flatMap((round) => round[measure as Measure] ?? []);
      return {
        table: 'A heavy page',
        what,
        unit: 'ms',
        of: of(ours),
        beside: { floor: of(floor), 'without a widget': of(bare) },
      };
    });
    const [scored, scoredBare]: [number[], number[]] = [[], []];
    for (let round = 0; round < (isQuick ? 1 : 3); round += 1) {
      scored.push(await performanceOf(`${pages.url}/plain/ours`));
      scoredBare.push(await performanceOf(`${pages.url}/plain/none`));
    }
    figures.push({
      table: 'A plain page',
      what: "Lighthouse's performance",
      unit: 'of 100',
      of: scored,
      beside: { 'without a widget': scoredBare },
    });
    return {
      figures,
      notes: [
        `Chromium with a processor ${slowDown}× slower and slow 4G as Lighthouse has it, page and frames in one process, ` +
          'each visit with an empty cache, "returning" apart. A click is without a hover before it, as on a touch screen. ' +
          '**floor** is `e2e/bench/floor/`: a plain script with a button that opens a frame with a plain form. The time of ' +
          "a widget's script is what the page's thread took to compile and run it, including the styles that it asks for " +
          'and waits for the storage.',
      ],
    };
  } finally {
    await browser.close();
    await Promise.all([pages.stop(), bff.stop()]);
    await service.stop();
  }
}
