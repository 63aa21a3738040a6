import type { FrameLocator, Page } from '@playwright/test';
import { accessibilityFaults, expect, newEmail, testWith } from '../support/fixtures.ts';
import type { Stack } from '../support/stack.ts';

const test = testWith({ PLAYGROUND: 'on' });
// Wide enough for both previews.
test.use({ viewport: { width: 1600, height: 900 } });

const sample = (page: Page, name: 'Desktop' | 'Phone') =>
  page.frameLocator(`iframe[title="${name} preview"]`);
/** By what holds it: its title changes with the language. */
const widgetIn = (preview: FrameLocator) => preview.frameLocator('deskside-root iframe');
const launcherIn = (preview: FrameLocator) => preview.getByRole('button', { name: /support/i });
const backgroundOf = (preview: FrameLocator) =>
  launcherIn(preview).evaluate((launcher) => getComputedStyle(launcher).backgroundColor);

/** What the page's policies forbid; nothing, if they fit. */
function collectViolations(page: Page): string[] {
  const violations: string[] = [];
  page.on('console', (message) => {
    if (/Content.Security.Policy|Trusted/i.test(message.text())) violations.push(message.text());
  });
  return violations;
}

async function openPlayground(page: Page, stack: Stack): Promise<void> {
  await page.goto(`${stack.bffUrl}/playground`);
  await widgetIn(sample(page, 'Desktop')).getByRole('heading', { name: 'How can we help?' }).waitFor();
}

test('choices show in both previews and in the snippet', async ({ page, stack }) => {
  const violations = collectViolations(page);
  await openPlayground(page, stack);
  const [desktop, phone] = [sample(page, 'Desktop'), sample(page, 'Phone')];
  await expect(launcherIn(phone)).toBeVisible();

  await page.getByRole('button', { name: 'Red' }).click();
  await page.getByLabel('Greeting').fill('Ask us "anything"');
  await page.getByLabel('Name of the launcher').fill('Support, please');
  await page.getByLabel('Language').selectOption('de');
  await page.getByLabel('Send button').fill('Los!');
  await page.getByLabel('Ask for a priority').check();
  await expect(widgetIn(desktop).getByRole('heading', { name: 'Ask us "anything"' })).toBeVisible();
  await expect(widgetIn(desktop).getByRole('button', { name: 'Los!', exact: true })).toBeVisible();
  await expect(widgetIn(desktop).getByLabel('Nachricht')).toBeVisible();
  await expect(widgetIn(desktop).getByRole('combobox')).toBeVisible();
  for (const preview of [desktop, phone]) {
    await expect(launcherIn(preview)).toHaveAccessibleName('Support, please');
    await expect.poll(() => backgroundOf(preview)).toBe('rgb(179, 38, 30)');
  }

  await page.getByLabel('Language').selectOption('');
  await page.getByRole('radio', { name: 'Right to left' }).check();
  await expect(widgetIn(desktop).getByRole('heading', { name: 'Ask us "anything"' })).toHaveCSS(
    'direction',
    'rtl',
  );
  await page.getByLabel('Language').selectOption('de');

  const snippet = page.getByRole('region', { name: 'Your snippet' });
  await expect(snippet.getByText('<script')).toContainText(`src="${stack.bffUrl}/widget.js"`);
  for (const part of [
    'data-color="#b3261e"',
    'data-greeting="Ask us &quot;anything&quot;"',
    'data-label="Support, please"',
    'data-locale="de"',
    'data-priority="true"',
    '"send": "Los!"',
  ])
    await expect(snippet.locator('pre')).toContainText(part);
  expect(violations).toEqual([]);
});

test('the pasted tag gives the widget of the preview', async ({ page, context, stack }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: stack.bffUrl });
  await openPlayground(page, stack);
  await page.getByRole('button', { name: 'Red' }).click();
  await page.getByLabel('Greeting').fill('Tell us');
  await page.getByRole('button', { name: 'Copy' }).click();
  await expect(page.getByText('Copied')).toBeVisible();
  const tag = await page.evaluate(() => navigator.clipboard.readText());
  await page.goto(stack.host.origin);
  await page.waitForFunction(() => 'Deskside' in window);
  await page.evaluate((html) => {
    (window as unknown as { Deskside: (command: string) => void }).Deskside('destroy');
    document.body.append(document.createRange().createContextualFragment(html));
  }, tag);
  const launcher = page.getByRole('button', { name: 'Open support' });
  await expect(launcher).toHaveCSS('background-color', 'rgb(179, 38, 30)');
  await launcher.click();
  const app = page.frameLocator('iframe[title="Support"]');
  await expect(app.getByRole('heading', { name: 'Tell us' })).toBeVisible();
});

test('the widget in the preview works: a ticket opened in it reaches the agents', async ({
  page,
  stack,
  desk,
}) => {
  await openPlayground(page, stack);
  const app = widgetIn(sample(page, 'Desktop'));
  await page.locator('figcaption', { hasText: 'Desktop' }).hover();
  await app.getByLabel('Email').fill(newEmail());
  await app.getByRole('textbox', { name: 'Message' }).fill('From the playground\nDoes it work?');
  await app.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(app.getByRole('log').getByText('Sent', { exact: true })).toBeVisible();
  await desk.openTicket('From the playground');
});

test('settings keep the focus by keyboard, until a preview is used', async ({ page, stack }) => {
  await openPlayground(page, stack);
  const brand = page.getByLabel('Brand');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Your snippet' })).toBeFocused();
  await page.getByLabel('Language').selectOption('fr');
  await brand.focus();
  await widgetIn(sample(page, 'Desktop')).getByLabel('Message').waitFor();
  await page.keyboard.type('Kettle');
  await expect(brand).toHaveValue('Kettle');
  await expect(widgetIn(sample(page, 'Desktop')).getByText('Kettle')).toBeVisible();
  await expect(brand).toBeFocused();

  const tryIt = page.getByRole('button', { name: 'Try it in the phone preview' });
  await tryIt.focus();
  await page.keyboard.press('Enter');
  await expect(widgetIn(sample(page, 'Phone')).getByRole('heading', { level: 1 })).toBeVisible();
  const phone = page.locator('iframe[title="Phone preview"]');
  await expect(phone).toBeFocused();
  await brand.focus();
  await expect(phone).toHaveAttribute('inert');
});

test('the self-check tells whether a site may show the widget', async ({ page, stack }) => {
  await openPlayground(page, stack);
  const site = page.getByLabel('Address of your site');
  const check = page.getByRole('button', { name: 'Check', exact: true });
  const findings = page.getByRole('list', { name: 'Your site' });
  await site.fill('https://elsewhere.example/shop');
  await check.click();
  await expect(findings.getByText('https://elsewhere.example may not show the widget')).toBeVisible();
  await site.fill(`${stack.host.origin}/cart`);
  await check.click();
  await expect(findings.getByText(`${stack.host.origin} may show the widget`)).toBeVisible();
});

test('the self-check lists the widget’s own checks', async ({ page, stack }) => {
  await openPlayground(page, stack);
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  const findings = page.getByRole('list', { name: 'The preview on this page' }).getByRole('listitem');
  await expect.poll(() => findings.count()).toBeGreaterThan(2);
  await expect(findings.filter({ hasText: 'does not work' })).toHaveCount(0);
});

for (const colorScheme of ['light', 'dark'] as const)
  test(
    `axe finds nothing, ${colorScheme}, also on a phone`,
    {
      tag: colorScheme === 'dark' ? '@slow' : [],
    },
    async ({ page, stack }) => {
      await page.emulateMedia({ colorScheme });
      await openPlayground(page, stack);
      await page.getByRole('button', { name: 'Check', exact: true }).click();
      await page.getByRole('list', { name: 'The preview on this page' }).waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await accessibilityFaults(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    },
  );
