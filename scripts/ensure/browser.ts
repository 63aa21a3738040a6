import { findChromium, findFirefox, findHeadlessShell, findWebKit } from '../browser.ts';
import { installCommand, installOnDebian, isDebianRoot, isMissing, type Need } from './packages.ts';
import { run } from '../run.ts';

const chromium: Need = {
  name: 'Chromium',
  isThere: () => Boolean(findChromium()),
  // The fonts of the reference screenshots.
  packages: ['chromium', 'fonts-dejavu-core', 'fonts-liberation'],
};
/** Without it, the journeys use Chromium. */
const headlessShell: Need = {
  name: 'Chromium’s headless shell',
  isThere: () => Boolean(findHeadlessShell()),
  packages: ['chromium-headless-shell'],
};
const firefox: Need = {
  name: 'Firefox ESR',
  isThere: () => Boolean(findFirefox()),
  packages: ['firefox-esr'],
};
const webKit: Need = {
  name: 'WebKitGTK',
  isThere: () => Boolean(findWebKit()),
  packages: ['webkit2gtk-driver', 'xvfb'],
};

/**
 * Makes sure that there are browsers for the journeys, from this machine or from Debian's packages. Playwright's
 * download can replace Chromium. Where packages cannot be installed from here, the other engines are left out.
 */
async function ensureBrowsers(): Promise<boolean> {
  const missing = [chromium, headlessShell, firefox, webKit].filter(isMissing);
  if (missing.length > 0 && isDebianRoot) await installOnDebian(missing);
  const others = [firefox, webKit].filter(isMissing);
  if (others.length > 0) {
    const names = others.map(({ name }) => name).join(' and ');
    console.error(
      isDebianRoot
        ? `No ${names}: the packages could not be installed (${installCommand(others)}).`
        : `NOT TESTED IN ${names.toUpperCase()}: not on this machine (Debian: ${installCommand(others)}).`,
    );
    if (isDebianRoot) return false;
  }
  if (chromium.isThere() || (await run('playwright', ['install', 'chromium']))) return true;
  console.error('No Chromium: install it (Debian: apt-get install chromium) or name one in CHROMIUM_PATH.');
  return false;
}

if (!(await ensureBrowsers())) process.exit(1);
