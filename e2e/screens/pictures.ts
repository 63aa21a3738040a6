import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import type { Browser, WorkerInfo } from '@playwright/test';

const recordFile = new URL('./pictures/rendering.json', import.meta.url);

/** How the pictures in the repo were drawn. */
interface Rendering {
  /** Of the picture of the sample. */
  fingerprint: string;
  /** For people; a fingerprint may outlive it. */
  browser: string;
}

/** Texts in every script and weight that the screens show, and a curve. */
const sample = ['15px system-ui', '600 17px system-ui', '700 30px sans-serif', '14px monospace']
  .map((font) => `<p style="font:${font}">How can we help? 0123 📦 كيف يمكننا المساعدة؟</p>`)
  .concat('<p style="width:61px;height:61px;border:1px solid;border-radius:50%"></p>')
  .join('');

async function render(browser: Browser): Promise<Rendering> {
  const page = await browser.newPage();
  await page.setContent(sample);
  const fingerprint = createHash('sha256')
    .update(await page.screenshot())
    .digest('hex');
  await page.close();
  return { fingerprint, browser: browser.version() };
}

/**
 * A fixture of a worker: false where another browser or other fonts draw the same page differently. While pictures are
 * updated, it records how this browser draws.
 */
export async function areComparable(
  { browser }: { browser: Browser },
  use: (areComparable: boolean) => Promise<void>,
  { config }: WorkerInfo,
): Promise<void> {
  let present = await render(browser);
  if (config.updateSnapshots === 'all') await writeFile(recordFile, `${JSON.stringify(present, null, 2)}\n`);
  const recorded: Rendering | null = JSON.parse(await readFile(recordFile, 'utf8').catch(() => 'null'));
  const isAsRecorded = () => recorded?.fingerprint === present.fingerprint;
  // A browser on a busy machine may draw its first page differently from all later ones.
  if (!isAsRecorded()) present = await render(browser);
  const isSame = isAsRecorded();
  if (!isSame)
    process.stderr.write(
      `\nPICTURES ARE NOT COMPARED: they were drawn by ${recorded?.browser ?? 'no browser yet'}, and this browser ` +
        `(${present.browser}) with this machine's fonts draws differently. axe runs all the same.\n\n`,
    );
  await use(isSame);
}
