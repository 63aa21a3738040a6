import type { Browser } from '@playwright/test';
import { signInAgent } from '../support/agent.ts';
import { ticketsAtService } from '../support/at-service.ts';
import { expect, newEmail } from '../support/fixtures.ts';
import { type FrontedStack, test as fronted } from '../support/fronted.ts';
import { inFrame, launchKeeping, markWhenKept } from '../support/kept-pages.ts';
import { Widget } from '../support/pages/widget.ts';

const test = fronted.extend<{ keeping: Browser }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs from this pattern
  keeping: async ({}, use) => {
    const keeping = await launchKeeping();
    await use(keeping);
    await keeping.close();
  },
});

const shownText = 'document.body.innerText';

/** How many event streams the BFF has open. */
async function streams({ adminUrl }: FrontedStack): Promise<string | undefined> {
  const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
  return /^deskside_streams (\d+)$/m.exec(metrics)?.[1];
}

for (const when of ['before', 'after'] as const) {
  test(`a ticket is sent once when its page is left just ${when} the service has it, and the browser keeps the page`, async ({
    stack,
    keeping,
  }) => {
    const page = await keeping.newPage();
    await markWhenKept(page);
    const widget = new Widget(page);
    const subject = `Kept ${crypto.randomUUID().slice(0, 8)}`;
    await page.goto(stack.host.origin);
    await widget.open();
    await widget.write({ email: newEmail(), subject, description: 'The lid is chipped.' });
    const paused = stack.front.pauseWrites(when);
    await widget.send.click();
    await paused.arrived;
    await page.goto(`${stack.serviceUrl}/desk`);
    paused.release();
    await expect.poll(() => ticketsAtService(stack, subject)).toHaveLength(1);
    await page.evaluate(() => history.back());
    await expect(page.locator('html[data-kept]')).toBeVisible();
    const cdp = await page.context().newCDPSession(page);
    await expect.poll(() => inFrame(cdp, shownText), { timeout: 30_000 }).toMatch(/chipped\.\s+Sent/);
    expect(await ticketsAtService(stack, subject)).toHaveLength(1);
  });
}

test('a draft that is sent on the next page is gone when the browser shows the first page again', async ({
  stack,
  keeping,
}) => {
  const context = await keeping.newContext();
  const [page, next] = [await context.newPage(), await context.newPage()];
  await markWhenKept(page);
  const widget = new Widget(page);
  const subject = `Kept ${crypto.randomUUID().slice(0, 8)}`;
  await page.goto(stack.host.origin);
  await widget.open();
  await widget.write({ email: newEmail(), subject, description: 'The lid is chipped.' });
  await page.goto(`${stack.serviceUrl}/desk`);
  await next.goto(stack.host.origin);
  const there = new Widget(next);
  await there.open();
  await expect(there.description).toHaveValue('The lid is chipped.');
  await there.send.click();
  await expect.poll(() => ticketsAtService(stack, subject)).toHaveLength(1);
  await page.evaluate(() => history.back());
  await expect(page.locator('html[data-kept]')).toBeVisible();
  const cdp = await page.context().newCDPSession(page);
  const draft = `document.querySelector('[name="description"]')?.value`;
  await expect.poll(() => inFrame(cdp, draft)).toBe('');
});

test('a page that is left with a conversation open is kept, lets its stream go, and shows the next answer on return', async ({
  stack,
  keeping,
}) => {
  const page = await keeping.newPage();
  await markWhenKept(page);
  const widget = new Widget(page);
  const subject = `Kept ${crypto.randomUUID().slice(0, 8)}`;
  const agent = await signInAgent(stack);
  await page.goto(stack.host.origin);
  await widget.open();
  await widget.openTicket({ email: newEmail(), subject, description: 'The lid is chipped.' });
  await agent.answer(subject, 'Which lid is it?');
  await expect(widget.conversation.getByText('Which lid is it?')).toBeVisible();
  await expect.poll(() => streams(stack)).toBe('1');

  await page.goto(`${stack.serviceUrl}/desk`);
  await expect.poll(() => streams(stack)).toBe('0');
  await page.evaluate(() => history.back());
  await expect(page.locator('html[data-kept]')).toBeVisible();
  await expect(widget.launcher).toHaveAttribute('aria-expanded', 'true');
  await expect.poll(() => streams(stack)).toBe('1');
  await agent.answer(subject, 'A new lid is on its way.');
  const cdp = await page.context().newCDPSession(page);
  await expect.poll(() => inFrame(cdp, shownText)).toContain('A new lid is on its way.');
  await expect.poll(() => streams(stack)).toBe('1');
});

for (const state of ['never opened', 'opened and closed', 'open with the form'] as const) {
  test(`a page that is left with the panel ${state} is kept`, async ({ stack, keeping }) => {
    const page = await keeping.newPage();
    await markWhenKept(page);
    const widget = new Widget(page);
    await page.goto(stack.host.origin);
    await expect(widget.launcher).toBeVisible();
    if (state !== 'never opened') await widget.open();
    if (state === 'opened and closed') await widget.launcher.click();
    await page.goto(`${stack.serviceUrl}/desk`);
    await page.evaluate(() => history.back());
    await expect(page.locator('html[data-kept]')).toBeVisible();
  });
}
