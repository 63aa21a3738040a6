import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Request } from '@playwright/test';
import { paths } from '../../shared/contract/paths.ts';
import { signInAgent } from '../support/agent.ts';
import { expectSentOnce } from '../support/at-service.ts';
import { expect, newEmail, started, test as base } from '../support/fixtures.ts';
import { runOnStore } from '../support/journey-store.ts';
import { makeNextBuild, type NextBuild } from '../support/next-build.ts';
import { Widget } from '../support/pages/widget.ts';
import { type Stack, startStack } from '../support/stack.ts';

/** The BFF is started anew here, so each test has a stack of its own. */
const test = base.extend<{ own: Stack; next: NextBuild }>({
  own: started(() => startStack()),
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs from this pattern
  next: async ({}, use) => {
    const build = await makeNextBuild();
    await use(build);
    await build.remove();
  },
});

const ticket = () => ({
  email: newEmail(),
  subject: `Deploy ${crypto.randomUUID().slice(0, 8)}`,
  description: 'The lid is chipped.',
});

/** Paths of the scripts that the page has been given, as they come. */
function scriptsOf(page: Page): string[] {
  const scripts: string[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.startsWith('/assets/') && response.status() === 200) scripts.push(pathname);
  });
  return scripts;
}

const isOfThisBuild = (path: string) => existsSync(join('dist/widget', path));

test('a page of the last build works after a deploy: it loads deferred scripts, and sends', async ({
  page,
  own,
  next,
}) => {
  const widget = new Widget(page);
  const scripts = scriptsOf(page);
  // Held back, not refused: many browsers keep that an import has failed until the page is loaded anew.
  let release = () => {};
  const deployed = new Promise<void>((resolve) => (release = resolve));
  await page.route(/\/assets\/(conversation|returning|draw)-/, async (route) => {
    await deployed;
    await route.continue();
  });
  await page.goto(own.host.origin);
  await widget.open();
  const text = ticket();
  const isAskedFor = page.waitForRequest(/\/assets\/returning-/);
  await widget.write(text);
  await widget.send.click();
  await isAskedFor;

  await own.bff.stop();
  await own.restartBff(next.entry);
  const nextFrame = await (await fetch(`${own.bffUrl}/frame`)).text();
  release();

  await expect(widget.conversation.getByText(text.description)).toBeVisible();
  await widget.answer('It is the blue one.');
  await expectSentOnce(widget, own, {
    subject: text.subject,
    description: text.description,
    replies: ['It is the blue one.'],
  });
  await widget.back.click();
  await widget.choose('Continue on another device');
  await expect(widget.app.getByRole('textbox', { name: 'Link' })).toBeVisible();

  const later = scripts.filter((path) => /\/(conversation|account)-/.test(path));
  expect(later.map((path) => /\w+/.exec(path.slice('/assets/'.length))![0])).toEqual([
    'conversation',
    'account',
  ]);
  expect(later.filter((path) => !isOfThisBuild(path) || nextFrame.includes(path))).toEqual([]);
});

test('a stream that ends with its BFF, which shuts down cleanly, comes back to the next one, and the answer from between the two is shown', async ({
  page,
  own,
}) => {
  const widget = new Widget(page);
  const streams: Request[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === paths.events) streams.push(request);
  });
  await page.goto(own.host.origin);
  await widget.open();
  const text = ticket();
  await widget.openTicket(text);
  await expect.poll(() => streams.length).toBeGreaterThan(0);
  await own.bff.stop();
  expect(await own.bff.exited).toBe(0);
  const before = streams.length;
  const agent = await signInAgent(own);
  await agent.answer(text.subject, 'It is on its way.');
  await own.restartBff();

  // The pauses between attempts grow while nobody answers.
  await expect(widget.conversation.getByText('It is on its way.')).toBeVisible({ timeout: 60_000 });
  expect(streams.length).toBeGreaterThan(before);
});

test('a page whose scripts are gone says that it is out of date, and keeps its text over the reload', async ({
  page,
  own,
  next,
}) => {
  const widget = new Widget(page);
  const scripts = scriptsOf(page);
  await page.goto(own.host.origin);
  await widget.open();
  await widget.openTicket(ticket());
  await widget.back.click();
  await widget.app.getByRole('button', { name: 'New ticket' }).click();
  await widget.description.fill('And the handle is loose.');

  await own.bff.stop();
  await runOnStore(own.store, 'DELETE FROM script_bodies; DELETE FROM scripts');
  await own.restartBff(next.entry);

  await widget.back.click();
  await widget.choose('Continue on another device');
  await expect(widget.app.getByText('This page is out of date.')).toBeVisible();
  await widget.app.getByRole('button', { name: 'Reload' }).click();
  await widget.app.getByRole('button', { name: 'Continue your message' }).click();
  await expect(widget.description).toHaveValue('And the handle is loose.');
  await widget.back.click();
  await widget.choose('Continue on another device');
  await expect(widget.app.getByRole('textbox', { name: 'Link' })).toBeVisible();
  expect(scripts.filter((path) => path.includes('/account-')).map(isOfThisBuild)).toEqual([false]);
});
