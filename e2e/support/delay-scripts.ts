import type { Page } from '@playwright/test';

/** Delays scripts of the app until the returned function is called. */
export async function delayScripts(page: Page, scripts: RegExp): Promise<() => void> {
  let release = () => {};
  const wait = new Promise<void>((resolve) => (release = resolve));
  await page.route(scripts, async (route) => {
    await wait;
    await route.continue();
  });
  return release;
}
