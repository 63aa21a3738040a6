import { chromium } from '@playwright/test';
import { mkdtemp, symlink } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startFakeService } from '../../scripts/fake-service.ts';
import { run } from '../../scripts/run.ts';
import { chromiumLaunch } from '../support/chromium.ts';
import { startBff } from '../faults/servers/bff.ts';
import { heavyPage } from './heavy-page.ts';
import type { BenchOptions, Figure, Section } from './report.ts';

/*
 * How long the first press of the launcher takes until its result is painted: the browser's own measure of an interaction
 * (Event Timing, from which INP comes), to 8 ms. Beside it the build of another commit, in turns.
 */

const slowDown = 4;
const settleMs = 1_500;

/** Builds a commit in a folder of its own. Returns its BFF and what removes the folder. */
export async function buildOf(commit: string) {
  const dir = join(await mkdtemp(join(tmpdir(), 'deskside-against-')), 'tree');
  const git = (...args: string[]) => run('git', ['worktree', ...args]);
  if (!(await git('add', '--detach', dir, commit))) throw new Error(`no commit ${commit}`);
  const remove = () => git('remove', '--force', dir);
  await symlink(resolve('node_modules'), join(dir, 'node_modules'));
  if (await run('vite', ['build', '--logLevel', 'warn'], { NODE_ENV: 'production' }, dir))
    return { entry: join(dir, 'dist/bff/main.js'), remove };
  await remove();
  throw new Error(`the build of ${commit} failed`);
}

/** The milliseconds of the first press on the page, which nothing has prepared. */
async function pressOnce(url: string): Promise<number> {
  const browser = await chromium.launch(chromiumLaunch);
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, locale: 'en-US' });
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowDown });
    await page.addInitScript(() => {
      const durations: number[] = [];
      Object.assign(window, { durations });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          if ((entry as PerformanceEventTiming & { interactionId: number }).interactionId)
            durations.push(entry.duration);
      }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
    });
    await page.goto(url);
    const box = (await page.locator('deskside-root button').boundingBox())!;
    await page.waitForTimeout(settleMs);
    // As a finger does: without a pointer that stays on the launcher first.
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.up();
    await page.waitForTimeout(settleMs);
    // Shorter ones are not reported.
    return await page.evaluate(() =>
      Math.max(8, ...(window as unknown as { durations: number[] }).durations),
    );
  } finally {
    await browser.close();
  }
}

export async function benchPress({ isQuick, against }: BenchOptions): Promise<Section> {
  if (!against) throw new Error('press needs --against <commit>');
  const other = await buildOf(against);
  const service = await startFakeService();
  const tags: string[] = [];
  const server = createServer((request, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(heavyPage(tags[Number(request.url!.slice(1))] ?? ''));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const pages = `http://localhost:${(server.address() as AddressInfo).port}`;
  const settings = { SUPPORT_API_URL: service.url, SUPPORT_API_KEY: 'bench', ALLOWED_ORIGINS: pages };
  const bffs = [await startBff({ settings }), await startBff({ settings, entry: other.entry })];
  tags.push(...bffs.map((bff) => `<script async src="${bff.url()}/widget.js"></script>`));
  try {
    const rounds: [number[], number[]] = [[], []];
    for (let round = 0; round < (isQuick ? 3 : 11); round += 1)
      for (const which of [0, 1] as const) rounds[which].push(await pressOnce(`${pages}/${which}`));
    const figure: Figure = {
      table: 'The first press',
      what: 'the press until its result is painted',
      unit: 'ms',
      of: rounds[0],
      beside: { [against]: rounds[1] },
    };
    return {
      figures: [figure],
      notes: [`Chromium with a processor ${slowDown}× slower; a heavy page; each press in a new browser.`],
    };
  } finally {
    server.close();
    for (const bff of bffs) await bff.stop();
    await service.stop();
    await other.remove();
  }
}
