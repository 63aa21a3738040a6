import { chromium } from '@playwright/test';
import { buildIfNeeded } from '../../scripts/build-if-needed.ts';
import { chromiumLaunch } from '../support/chromium.ts';
import { startCannedBff } from '../screens/canned-bff.ts';
import { startStack } from '../support/stack.ts';
import { benchHostPage } from './host-page.ts';
import { benchMemory } from './memory.ts';
import { benchScrolling } from './scrolling.ts';
import type { Figure, Place } from './place.ts';

/** Prints figures; they judge nothing, since they depend on the machine and on what else it does. */
async function main(): Promise<void> {
  await buildIfNeeded();
  // The page is of another site than the panel, as in real life: each has a process, and a heap, of its own.
  const stack = await startStack({}, ({ origin }) => [origin.replace('localhost', '127.0.0.1')]);
  const bff = await startCannedBff(stack.bffUrl);
  stack.host.bffUrl = bff.url;
  const browser = await chromium.launch(chromiumLaunch);
  const place: Place = { browser, bff, origin: stack.host.origin.replace('localhost', '127.0.0.1') };
  try {
    process.stdout.write(`Chromium ${browser.version()}\n`);
    for (const [title, bench] of [
      ['The host page before the panel is opened, at 4× CPU slow-down', benchHostPage],
      ['Memory', benchMemory],
      ['A conversation of 2,000 messages', benchScrolling],
    ] as const) {
      process.stdout.write(`\n${title}\n`);
      (await bench(place)).forEach(print);
    }
  } finally {
    await browser.close();
    await Promise.all([bff.stop(), stack.stop()]);
  }
}

const print = ({ what, value, beside }: Figure) =>
  process.stdout.write(`  ${what.padEnd(66)} ${value.padStart(12)}   ${beside}\n`);

await main();
