import type { LaunchOptions } from '@playwright/test';
import { findChromium } from '../scripts/browser.ts';

const executablePath = findChromium();

/** Chromium as journeys and bench start it: nothing of its own on the network. */
export const chromiumLaunch: LaunchOptions = {
  ...(executablePath ? { executablePath } : {}),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
  ],
};
