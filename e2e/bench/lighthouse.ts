import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findChromium } from '../../scripts/browser.ts';
import { chromiumLaunch } from '../support/chromium.ts';

/** Not a dependency: it is large, and only this bench needs it. `npx` fetches it. */
const lighthouse = 'lighthouse@12.8.2';

interface Report {
  categories: { performance: { score: number } };
}

/** Lighthouse's score for the performance of a page on its telephone, of 100. */
export async function performanceOf(url: string): Promise<number> {
  const flags = ['--headless', ...chromiumLaunch.args!].join(' ');
  const { stdout } = await promisify(execFile)(
    'npx',
    [
      '--yes',
      lighthouse,
      url,
      '--quiet',
      '--only-categories=performance',
      '--output=json',
      `--chrome-flags=${flags}`,
    ],
    { env: { ...process.env, CHROME_PATH: findChromium() }, maxBuffer: 1e8 },
  );
  return (JSON.parse(stdout) as Report).categories.performance.score * 100;
}
