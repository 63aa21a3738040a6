import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';
import { findFirefox, findWebKit } from '../scripts/browser.ts';
import { journeyLaunch } from './support/chromium.ts';

const firefox = findFirefox();

/** Slow journeys, beside which `npm test` makes quicker ones of the same kind. */
const slow = /@slow/;

/** The journeys that every engine makes. */
const engines = /engines\.spec/;

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  globalSetup: './support/journey-store.ts',
  // One worker for a file, not `fullyParallel`: many files have a stack of their own, which each worker would start.
  // More than the cores of a small machine: tests wait for a poll, a time-out or a process that starts half of their time.
  workers: 4,
  // Those have a command of their own: `npm run test:slow`.
  ...(process.env['SLOW'] ? { grep: slow } : { grepInvert: slow }),
  forbidOnly: !!process.env['CI'],
  // One slow moment of a machine in hundreds of journeys is no reason to hold a change back. What passes only at its second
  // try is listed as flaky, with what was on screen: look into it.
  retries: 1,
  // What hangs fails all the same; a busy machine is no fault.
  timeout: 90_000,
  expect: { timeout: 10_000, toHaveScreenshot: { maxDiffPixelRatio: 0.002, threshold: 0.2 } },
  reporter: [['list']],
  outputDir: '../test-results',
  snapshotPathTemplate: 'screens/pictures/{arg}{ext}',
  use: {
    // A trace slows every test down: `npx playwright test --trace on` makes one.
    trace: 'off',
    launchOptions: journeyLaunch,
  },
  projects: [
    { name: 'chromium', use: { browserName: 'chromium' } },
    ...(firefox
      ? [
          {
            name: 'firefox',
            testMatch: engines,
            use: {
              browserName: 'firefox' as const,
              // WebDriver BiDi: a distribution's Firefox does not speak Playwright's own protocol.
              channel: 'moz-firefox',
              launchOptions: {
                executablePath: fileURLToPath(new URL('support/engines/firefox.mjs', import.meta.url)),
                env: { ...process.env, FIREFOX_BIN: firefox } as Record<string, string>,
              },
            },
          },
        ]
      : []),
    // Its browser is started by the tests themselves; Playwright's is the agent's.
    ...(findWebKit() ? [{ name: 'webkit', testMatch: engines }] : []),
  ],
});
