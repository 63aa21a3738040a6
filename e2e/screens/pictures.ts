import { readFile, writeFile } from 'node:fs/promises';
import type { Browser, WorkerInfo } from '@playwright/test';

const recordFile = new URL('./pictures/rendering.json', import.meta.url);

/** How the pictures in the repo were drawn. */
interface Rendering {
  /** Of a page of sample texts and shapes, by the browser's own pixels. */
  fingerprint: string;
  /** For people; a fingerprint may outlive it. */
  browser: string;
}

export interface Pictures {
  /** False where another browser or other fonts draw the same page differently. */
  areComparable: boolean;
  tolerance: { maxDiffPixelRatio: number; threshold: number };
}

/** Texts in every script and weight that the screens show, drawn and hashed. */
async function render(browser: Browser): Promise<Rendering> {
  const page = await browser.newPage();
  const fingerprint = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    canvas.width = 600;
    canvas.height = 240;
    const brush = canvas.getContext('2d', { willReadFrequently: true })!;
    const fonts = ['15px system-ui', '600 17px system-ui', '700 30px sans-serif', '14px monospace'];
    fonts.forEach((font, line) => {
      brush.font = font;
      brush.fillText('How can we help? 0123 📦 كيف يمكننا المساعدة؟', 8.5, 40.5 + line * 50);
    });
    brush.arc(560, 200, 30.5, 0, 5);
    brush.stroke();
    const { data } = brush.getImageData(0, 0, canvas.width, canvas.height);
    // FNV-1a; a page without an address has no `crypto.subtle`.
    return data.reduce((hash, byte) => Math.imul(hash ^ byte, 16777619) >>> 0, 2166136261).toString(16);
  });
  await page.close();
  return { fingerprint, browser: browser.version() };
}

const tolerance = { maxDiffPixelRatio: 0.002, threshold: 0.2 };

/** Records how this browser draws while pictures are updated. Else compares it with the record. */
export async function openPictures(browser: Browser, { config }: WorkerInfo): Promise<Pictures> {
  const present = await render(browser);
  if (config.updateSnapshots === 'all') await writeFile(recordFile, `${JSON.stringify(present, null, 2)}\n`);
  const recorded: Rendering | null = JSON.parse(await readFile(recordFile, 'utf8').catch(() => 'null'));
  const areComparable = recorded?.fingerprint === present.fingerprint;
  if (!areComparable)
    process.stderr.write(
      `\nPICTURES ARE NOT COMPARED: they were drawn by ${recorded?.browser ?? 'no browser yet'}, and this browser ` +
        `(${present.browser}) with this machine's fonts draws differently. axe runs all the same.\n\n`,
    );
  return { areComparable, tolerance };
}
