import { AxeBuilder } from '@axe-core/playwright';
import { test as base, expect, type Page } from '@playwright/test';
import { identitySecret } from '../../scripts/identity-token.ts';
import { Desk } from './pages/desk.ts';
import { Widget } from './pages/widget.ts';
import { runningStacks, type Stack, startStack } from './stack.ts';

interface TestFixtures {
  /** The widget on `page`; go to a host page first. */
  widget: Widget;
  /** An agent at the desk, signed in, in a browser of their own. */
  desk: Desk;
}

/** A fixture: what this starts, stopped at the end. */
export const started =
  <T extends { stop(): Promise<unknown> }>(start: () => Promise<T>) =>
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs from this pattern
  async ({}: object, use: (value: T) => Promise<void>): Promise<void> => {
    const value = await start();
    await use(value);
    await value.stop();
  };

export const test = base.extend<TestFixtures, { stack: Stack }>({
  stack: [started(() => startStack()), { scope: 'worker' }],
  page: async ({ page }, use, info) => {
    await use(page);
    if (info.status !== info.expectedStatus) info.errors.push({ message: await evidence(page) });
  },
  widget: async ({ page }, use) => use(new Widget(page)),
  desk: async ({ browser, stack }, use) => {
    const context = await browser.newContext();
    const desk = new Desk(await context.newPage(), stack);
    await desk.signIn();
    await use(desk);
    await context.close();
  },
});

export { expect };

/**
 * After a failure that cannot be repeated: what was on screen, and what the servers logged last. It belongs to the errors
 * of the test, which the report prints at its end.
 */
async function evidence(page: Page): Promise<string> {
  const parts: string[] = [];
  for (const frame of page.frames()) {
    const shown = frame.locator('body').ariaSnapshot({ timeout: 2_000 });
    parts.push(frame.url(), await shown.catch(String));
  }
  for (const { lines } of runningStacks) parts.push(...lines.slice(-20).map((line) => line.slice(0, 300)));
  return parts.join('\n');
}

/** Tests against a stack of their own, with these settings of the BFF. */
export const testWith = (...settings: Parameters<typeof startStack>) =>
  test.extend<object, { stack: Stack }>({
    stack: [started(() => startStack(...settings)), { scope: 'worker' }],
  });

/** Of a site that identifies its customers. One for all files: a worker keeps its stack for the tests of one `test`. */
export const testWithIdentity = testWith({ IDENTITY_SECRET: identitySecret });

/** A field that has been scrolled in part under the bar with "Send" counts as small. */
const isScrolledAway = ({ html, any }: { html: string; any: { data: unknown }[] }) =>
  /^<(?:input|textarea|select)/.test(html) &&
  any.some(({ data }) => Object(data)['messageKey'] === 'partiallyObscured');

/** What axe finds wrong on the page and in its frames, readable in a failure. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  // What is still being faded in has too little contrast.
  for (const frame of page.frames())
    await frame.evaluate(async () => {
      const ending = document
        .getAnimations()
        .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
      await Promise.allSettled(ending.map(({ finished }) => finished));
    });
  const { violations } = await new AxeBuilder({ page })
    .options({
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'],
      // Beside what the host page itself has.
      rules: { 'landmark-unique': { enabled: true } },
    })
    .analyze();
  return violations.flatMap(({ id, nodes }) => {
    const wrong = nodes.filter((node) => !isScrolledAway(node));
    return wrong.length > 0 ? `${id}: ${wrong.map(({ target }) => target.join(' ')).join(', ')}` : [];
  });
}

/** An address that no other test uses. */
export const newEmail = () => `customer-${crypto.randomUUID()}@example.com`;
