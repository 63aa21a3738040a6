import type { Page } from '@playwright/test';

/** Holds scripts of the app back until the answer is called. */
export async function holdBack(page: Page, scripts: RegExp): Promise<() => void> {
  let letGo = () => {};
  const wait = new Promise<void>((resolve) => (letGo = resolve));
  await page.route(scripts, async (route) => {
    await wait;
    await route.continue();
  });
  return letGo;
}
