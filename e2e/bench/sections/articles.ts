import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { chromiumLaunch } from '../../support/chromium.ts';
import { startStack } from '../../support/stack.ts';
import { panelFrame } from '../browser/visit.ts';
import { figure, type Section } from '../report/figure.ts';
import type { BenchOptions } from './section.ts';

const articleCount = 500;
const wordsEach = 300;
const slowDown = 4;
const query = 'how do I return a broken kettle';

/** From 0 up to 1; the same numbers in each run. */
let seed = 1;
function random(): number {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed / 2_147_483_647;
}
const oneOf = (letters: string) => letters[Math.floor(random() * letters.length)]!;
/** Words of two to four syllables. */
const vocabulary = Array.from({ length: 6_000 }, () =>
  Array.from(
    { length: 2 + Math.floor(random() * 3) },
    () => oneOf('bcdfghjklmnprstvwz') + oneOf('aeiou') + oneOf('lnrst   ').trim(),
  ).join(''),
);
/** A few words are frequent, as in natural language. */
const word = () => vocabulary[Math.floor(random() ** 3 * vocabulary.length)];
const titles = ['Returning a broken kettle', 'How to pay', 'Delivery of a parcel', 'Looking after clay'];

async function writeArticles(dir: string): Promise<void> {
  await mkdir(join(dir, 'en'));
  for (let nth = 0; nth < articleCount; nth += 1) {
    const words = Array.from({ length: wordsEach }, word);
    const text = `# ${titles[nth % titles.length]} ${nth}\n\n${words.join(' ')}\n`;
    await writeFile(join(dir, 'en', `article-${nth}.md`), text);
  }
}

/**
 * Milliseconds from each key press until its results were drawn. The first key press is separate and includes what it
 * loads.
 */
async function typeInto(browser: Browser, origin: string): Promise<{ firstMs: number; keysMs: number[] }> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(origin);
  await page.getByRole('button', { name: /open support/i }).click();
  const app = page.frameLocator('iframe[title="Support"]');
  const field = app.getByRole('searchbox');
  await field.waitFor();
  const frame = panelFrame(page);
  const session = await context.newCDPSession(frame);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowDown });
  const begun = performance.now();
  await field.fill('k');
  await app.getByText(/^Results: /).waitFor();
  const firstMs = performance.now() - begun;
  const keysMs = await frame.evaluate(async (text) => {
    const input = document.querySelector<HTMLInputElement>('input[type=search]')!;
    const took: number[] = [];
    for (let length = 1; length <= text.length; length += 1) {
      input.value = text.slice(0, length);
      const from = performance.now();
      input.dispatchEvent(new InputEvent('input', { bubbles: true }));
      // The results are drawn in a microtask; the layout is forced.
      await new Promise<void>((resolve) => queueMicrotask(() => queueMicrotask(resolve)));
      void document.body.scrollHeight;
      took.push(performance.now() - from);
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return took;
  }, query);
  await context.close();
  return { firstMs, keysMs };
}

/** Search over many articles as the customer types, on a slow processor. */
export async function benchArticles({ isQuick }: BenchOptions): Promise<Section> {
  const dir = await mkdtemp(join(tmpdir(), 'deskside-bench-'));
  await writeArticles(dir);
  const stack = await startStack({ ARTICLES_DIR: dir }, ({ origin }) => [
    origin.replace('localhost', '127.0.0.1'),
  ]);
  const browser = await chromium.launch(chromiumLaunch);
  const rounds = isQuick ? 2 : 5;
  const first: number[] = [];
  const keys: number[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const { firstMs, keysMs } = await typeInto(
        browser,
        stack.host.origin.replace('localhost', '127.0.0.1'),
      );
      first.push(firstMs);
      keys.push(...keysMs);
    }
  } finally {
    await browser.close();
    await stack.stop();
    await rm(dir, { recursive: true });
  }
  const table = `Search of ${articleCount} articles, processor ${slowDown}× slower`;
  return {
    figures: [
      figure({ table, what: 'the first letter, with all that it loads', unit: 'ms', of: first }),
      figure({
        table,
        what: 'each further letter until its results are drawn',
        unit: 'ms',
        of: keys,
        aim: '30',
      }),
    ],
    plots: [],
    notes: [`The articles have ${wordsEach} words each, of ${vocabulary.length.toLocaleString('en')}.`],
  };
}
