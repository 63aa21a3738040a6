import type { Page } from '@playwright/test';
import { frameOf } from '../at-service.ts';
import type { Customer } from './customer.ts';
import { frameSelector, launcherSelector, scripts } from './customer.ts';
import type { Sentences } from './sentences.ts';

/** A customer in a browser that Playwright drives. */
export function playwrightCustomer(page: Page): Customer {
  // Its title is in the page's language.
  const app = page.frameLocator(frameSelector);
  const inPanel = <T>(body: string) => frameOf({ page }).evaluate<T>(asExpression(body));
  return {
    goto: async (url) => void (await page.goto(url)),
    async open() {
      await page.locator(launcherSelector).click();
      await app.getByRole('heading', { level: 1 }).waitFor();
      await inPanel(scripts.watch);
      return JSON.parse(await inPanel(scripts.sentences)) as Sentences;
    },
    write: (field, text) => app.getByRole('textbox', { name: field }).fill(text),
    press: (button) => app.getByRole('button', { name: button, exact: true }).click(),
    reads: () => inPanel(scripts.reads),
    direction: () => inPanel(scripts.direction),
    violations: async () => [
      ...(await page.evaluate<string[]>(asExpression(scripts.violations))),
      ...(await inPanel<string[]>(scripts.violations)),
    ],
  };
}

const asExpression = (body: string) => `(() => { ${body} })()`;
