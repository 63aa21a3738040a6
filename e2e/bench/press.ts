import { chromium } from '@playwright/test';
import { mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startFakeService } from '../../scripts/fake-service.ts';
import { run } from '../../scripts/run.ts';
import { chromiumLaunch } from '../support/chromium.ts';
import { startBff } from '../faults/servers/bff.ts';
import { launcher, startPages } from './page.ts';
import type { BenchOptions, Figure, Section } from './report.ts';

/*
 * How long the first press of the launcher takes until its result is painted: the browser's own measure of an interaction
 * (Event Timing, from which INP comes), to 8 ms. In turns with the floor, whose press only opens a frame, and with the build of another commit.
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
    const box = (await page.locator(launcher).boundingBox())!;
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
  const other = against ? await buildOf(against) : null;
  const service = await startFakeService();
  const tags: Record<string, string> = {};
  const pages = await startPages((name) => tags[name] ?? '');
  tags['floor'] = pages.floorTag;
  const settings = { SUPPORT_API_URL: service.url, SUPPORT_API_KEY: 'bench', ALLOWED_ORIGINS: pages.url };
  const bffs: Awaited<ReturnType<typeof startBff>>[] = [];
  const add = async (name: string, build: { entry?: string } = {}) => {
    const bff = await startBff({ settings, ...build });
    bffs.push(bff);
    tags[name] = `<script async src="${bff.url()}/widget.js"></script>`;
  };
  await add('ours');
  if (other) await add(against!, other);
  try {
    const rounds: Record<string, number[]> = {};
    for (let round = 0; round < (isQuick ? 3 : 11); round += 1)
      for (const name of Object.keys(tags))
        (rounds[name] ??= []).push(await pressOnce(`${pages.url}/heavy/${name}`));
    const { ours, ...beside } = rounds;
    const figure: Figure = {
      table: 'The first press',
      what: 'the press until its result is painted',
      unit: 'ms',
      of: ours!,
      beside,
    };
    return {
      figures: [figure],
      notes: [`Chromium with a processor ${slowDown}× slower; a heavy page; each press in a new browser.`],
    };
  } finally {
    for (const bff of bffs) await bff.stop();
    await Promise.all([pages.stop(), service.stop(), other?.remove()]);
  }
}
