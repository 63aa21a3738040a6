import { existsSync } from 'node:fs';

const places = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** A Chromium of this machine; undefined where only Playwright's own can serve. */
export const findChromium = (): string | undefined => places.find((path) => path && existsSync(path));
