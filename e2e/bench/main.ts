import { chromium } from '@playwright/test';
import { buildIfNeeded } from '../../scripts/build-if-needed.ts';
import { chromiumLaunch } from '../support/chromium.ts';
import { parseArguments, type SectionName, sectionNames } from './arguments.ts';
import { describeMachine, loadNow } from './report/machine.ts';
import { markdown } from './report/markdown.ts';
import type { Report } from './report/report.ts';
import { readReport, writeReport } from './report/write.ts';
import { benchArticles } from './sections/articles.ts';
import { benchBff } from './sections/bff.ts';
import { benchBytes } from './sections/bytes.ts';
import { benchGrowth } from './sections/growth.ts';
import { benchLive } from './sections/live.ts';
import { benchPage } from './sections/page.ts';
import { benchPanel } from './sections/panel.ts';
import type { BenchSection } from './sections/section.ts';

const benches: Record<SectionName, BenchSection> = {
  bytes: benchBytes,
  page: benchPage,
  panel: benchPanel,
  bff: benchBff,
  live: benchLive,
  growth: benchGrowth,
  articles: benchArticles,
};

const dir = 'bench';

/** In the report's order, whichever was measured first. */
const inOrder = (sections: Report['sections']): Report['sections'] =>
  Object.fromEntries(sectionNames.flatMap((name) => (sections[name] ? [[name, sections[name]]] : [])));

async function chromiumVersion(): Promise<string> {
  const browser = await chromium.launch(chromiumLaunch);
  const version = browser.version();
  await browser.close();
  return version;
}

/** Writes a report without a verdict, because the figures depend on the machine and its load. */
async function main(): Promise<void> {
  const { sections, isQuick } = parseArguments(process.argv.slice(2));
  // First, since it fails on a report that cannot be kept.
  const { sections: all } = await readReport(dir);
  await buildIfNeeded();
  const browser = await chromiumVersion();
  for (const name of sections) {
    process.stderr.write(`${name} …\n`);
    const begun = describeMachine();
    const section = await benches[name]({ isQuick });
    all[name] = { ...section, machine: { ...begun, chromium: browser, loadAfter: loadNow() }, isQuick };
    // After each section, so that a run that is ended early leaves what it has.
    await writeReport(dir, { sections: inOrder(all) }, section.plots);
  }
  process.stdout.write(markdown({ sections: inOrder(all) }));
}

await main();
