import { chromium } from '@playwright/test';
import { startCannedBff } from '../../screens/canned-bff.ts';
import { chromiumLaunch } from '../../support/chromium.ts';
import { startStack } from '../../support/stack.ts';
import { benchHostPage } from '../browser/host-page.ts';
import { benchMemory } from '../browser/memory.ts';
import type { PageTarget } from '../browser/visit.ts';
import type { Section } from '../report/figure.ts';
import { benchScrolling } from '../browser/scrolling.ts';
import type { BenchOptions } from './section.ts';

/** Measures our script on the host page, and the panel with much content, with canned answers and a fast network. */
export async function benchPanel({ isQuick }: BenchOptions): Promise<Section> {
  // Page and panel are on different sites, as in production, so each has its own process and heap.
  const stack = await startStack({}, ({ origin }) => [origin.replace('localhost', '127.0.0.1')]);
  const bff = await startCannedBff(stack.bffUrl);
  stack.host.bffUrl = bff.url;
  const browser = await chromium.launch(chromiumLaunch);
  const target: PageTarget = { browser, bff, origin: stack.host.origin.replace('localhost', '127.0.0.1') };
  try {
    return {
      figures: [
        ...(await benchHostPage(target, isQuick ? 3 : 7)),
        ...(await benchMemory(target)),
        ...(await benchScrolling(target)),
      ],
      plots: [],
      notes: ['On a busy machine trust the processor time of our own script and the counts alone.'],
    };
  } finally {
    await browser.close();
    await Promise.all([bff.stop(), stack.stop()]);
  }
}
