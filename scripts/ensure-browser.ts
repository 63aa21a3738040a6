import { existsSync } from 'node:fs';
import { findChromium } from './browser.ts';
import { run } from './run.ts';

const isDebianRoot = () => existsSync('/etc/debian_version') && process.getuid?.() === 0;

/** Sees to it that there is a browser for the journeys: the machine's, Debian's package, or Playwright's download. */
async function ensureChromium(): Promise<boolean> {
  if (findChromium()) return true;
  if (isDebianRoot()) {
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    await run('apt-get', ['update', '-qq'], env);
    await run(
      'apt-get',
      ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-dejavu-core'],
      env,
    );
    if (findChromium()) return true;
  }
  return run('playwright', ['install', 'chromium']);
}

if (!(await ensureChromium())) {
  console.error('No Chromium: install it (Debian: apt-get install chromium) or name one in CHROMIUM_PATH.');
  process.exit(1);
}
