import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium } from '@playwright/test';
import { expect, newEmail, testWith } from '../support/fixtures.ts';
import { chromiumLaunch } from '../support/chromium.ts';
import { Widget } from '../support/pages/widget.ts';
import type { Stack } from '../support/stack.ts';

/** `site` is the page's origin: `localhost` is the BFF's own site, `127.0.0.1` is another one. */
const test = testWith({}, ({ origin }) => [origin, crossSite(origin)]);

const crossSite = (origin: string) => origin.replace('localhost', '127.0.0.1');
const sessionCookie = async (context: BrowserContext) =>
  (await context.cookies()).find(({ name }) => name === '__Host-deskside');

/** Opens a ticket on the page, comes back to it, and replies. */
async function journey(context: BrowserContext, origin: string): Promise<Widget> {
  const page = context.pages()[0] ?? (await context.newPage());
  const widget = new Widget(page);
  await page.goto(origin);
  await widget.open();
  const subject = `Cup ${crypto.randomUUID().slice(0, 8)}`;
  await widget.openTicket({ email: newEmail(), subject, description: 'It is chipped.' });
  await page.reload();
  await widget.open();
  await widget.tickets.getByText(subject).click();
  await widget.answer('And a reply.');
  await expect(widget.conversation.getByText('And a reply.')).toBeVisible();
  return widget;
}

/** A browser with these preferences, as its user would set them. */
async function withPreferences<T>(
  preferences: object,
  use: (context: BrowserContext) => Promise<T>,
): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), 'deskside-profile-'));
  await mkdir(join(dir, 'Default'));
  await writeFile(join(dir, 'Default', 'Preferences'), JSON.stringify(preferences));
  const context = await chromium.launchPersistentContext(dir, chromiumLaunch);
  try {
    return await use(context);
  } finally {
    await context.close();
    await rm(dir, { recursive: true, force: true });
  }
}

test('on a page of the same site the session is an HttpOnly cookie [browser-21]', async ({
  context,
  stack,
}) => {
  await journey(context, stack.host.origin);
  expect(await sessionCookie(context)).toMatchObject({
    httpOnly: true,
    secure: true,
    sameSite: 'None',
    path: '/',
  });
});

/** Whether the frame may keep a cookie that all sites would share. */
async function keepsSharedCookie({ page }: Widget): Promise<boolean> {
  const frame = page.frames().find((each) => each.parentFrame() !== null)!;
  return frame.evaluate(() => {
    document.cookie = 'shared=1; Secure; SameSite=None';
    return document.cookie.includes('shared');
  });
}

/** The session's cookie is that of the page's site, and on another site there is none. */
async function expectOwnPartition(context: BrowserContext, stack: Stack): Promise<void> {
  const cookie = (await sessionCookie(context)) as { partitionKey?: string } | undefined;
  expect(cookie?.partitionKey).toContain('127.0.0.1');
  const page = await context.newPage();
  await page.goto(stack.host.origin);
  const widget = new Widget(page);
  await widget.open();
  await expect(widget.tickets).toHaveCount(0);
}

test('on a page of another site the cookie is partitioned by that site [browser-20]', async ({ stack }) => {
  const preferences = { profile: { cookie_controls_mode: 0 } };
  await withPreferences(preferences, async (context) => {
    expect(await keepsSharedCookie(await journey(context, crossSite(stack.host.origin)))).toBe(true);
    await expectOwnPartition(context, stack);
  });
});

test('the widget works with third-party cookies blocked', async ({ stack }) => {
  await withPreferences({ profile: { cookie_controls_mode: 1 } }, async (context) => {
    expect(await keepsSharedCookie(await journey(context, crossSite(stack.host.origin)))).toBe(false);
    await expectOwnPartition(context, stack);
  });
});

test('with all cookies and storage blocked the widget works until the page is left, and the self-check says why', async ({
  stack,
}) => {
  const preferences = { profile: { default_content_setting_values: { cookies: 2 } } };
  await withPreferences(preferences, async (context) => {
    const page = context.pages()[0]!;
    const widget = new Widget(page);
    await page.goto(crossSite(stack.host.origin));
    await widget.open();
    const subject = `Cup ${crypto.randomUUID().slice(0, 8)}`;
    await widget.openTicket({ email: newEmail(), subject, description: 'It is chipped.' });
    await widget.answer('And a reply.');
    await expect(widget.conversation.getByText('And a reply.')).toBeVisible();
    await widget.back.click();
    await expect(widget.tickets.getByText(subject)).toBeVisible();
    expect(await context.cookies()).toEqual([]);
    const { checks } = (await page.evaluate(() => window.Deskside!('diagnose'))) as {
      checks: { name: string; ok: boolean | null }[];
    };
    const faults = checks.filter(({ ok }) => ok === false).map(({ name }) => name);
    expect(faults).toEqual(['Storage of the page', 'Storage of the frame']);
  });
});

test('without cookies, but with storage, the session survives a reload [browser-22]', async ({
  context,
  stack,
}) => {
  await context.addInitScript(() => {
    Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set: () => {} });
  });
  const widget = await journey(context, stack.host.origin);
  expect(await sessionCookie(context)).toBeUndefined();
  await widget.back.click();
  await expect(widget.tickets).toBeVisible();
});
