import type { Page, Request } from '@playwright/test';
import { accessibilityFaults, expect, newEmail, testWith } from '../support/fixtures.ts';
import type { Widget } from '../support/pages/widget.ts';

/** The articles of the demo shop. */
const test = testWith({ ARTICLES_DIR: 'demo/articles' });

const article = (widget: Widget, title: string) => widget.app.getByRole('button', { name: title });
const searchField = (widget: Widget) => widget.app.getByRole('searchbox', { name: 'Search for answers' });

/** The requests of search, from now on. */
function searchRequests(page: Page): string[] {
  const found: string[] = [];
  page.on('request', (request: Request) => {
    const { pathname } = new URL(request.url());
    if (/\/find-|\/articles\/[^/]+\/[^/]+\.json$/.test(pathname)) found.push(pathname);
  });
  return found;
}

test('a customer finds the answer by search, reads it and says that it helped', async ({
  page,
  stack,
  widget,
}) => {
  const requests = searchRequests(page);
  await page.goto(stack.host.origin);
  await widget.open();
  const top = widget.app.getByRole('list', { name: 'Helpful articles' });
  await expect(top.getByRole('button')).toHaveText([
    'Returning an order',
    'Delivery times',
    'A piece arrived broken',
    'Looking after your teapot',
  ]);
  await expect(widget.app.getByRole('button', { name: 'New ticket' })).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  // Nothing of search is loaded before somebody searches.
  expect(requests).toEqual([]);

  await searchField(widget).fill('retun ordr');
  await expect(widget.app.getByText('Results: 1')).toBeVisible();
  expect(requests.length).toBe(3);
  await searchField(widget).fill('ketle');
  await expect(article(widget, 'Looking after your teapot')).toBeVisible();
  await searchField(widget).fill('zebra crossing');
  await expect(widget.app.getByText('Nothing found.')).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await searchField(widget).fill('return');
  await article(widget, 'Returning an order').click();

  await expect(widget.app.getByRole('heading', { level: 1, name: 'Returning an order' })).toBeFocused();
  const image = widget.app.getByRole('img', { name: /teapot stands upright/ });
  await image.scrollIntoViewIfNeeded();
  await expect.poll(() => image.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBeGreaterThan(0);
  await expect(widget.app.getByRole('cell', { name: '2 working days', exact: true })).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  const voted = page.waitForResponse(/\/articles\/returns\/votes$/);
  await widget.app.getByRole('button', { name: 'Yes' }).click();
  await expect(widget.app.getByText('Thanks for telling us.')).toBeFocused();
  const vote = await voted;
  expect([vote.status(), await vote.request().headerValue('cookie')]).toEqual([201, null]);

  await widget.app.getByRole('button', { name: 'what to do about damage' }).click();
  await expect(widget.app.getByRole('heading', { level: 1, name: 'A piece arrived broken' })).toBeFocused();
  await widget.app.getByRole('button', { name: 'Back' }).click();
  await expect(widget.app.getByRole('heading', { level: 1, name: 'Returning an order' })).toBeVisible();
  await widget.app.getByRole('button', { name: 'Back' }).click();
  await expect(searchField(widget)).toHaveValue('return');
});

test('a customer who writes reads a suggestion, and goes on with the draft', async ({
  page,
  stack,
  widget,
}) => {
  await page.goto(stack.host.origin);
  await widget.open();
  await widget.app.getByRole('button', { name: 'New ticket' }).click();
  const text = 'My teapot arrived broken in its parcel';
  await widget.description.fill(text);
  const suggested = widget.app.getByRole('list', { name: 'This may help' });
  await expect(suggested.getByRole('button').first()).toHaveText('A piece arrived broken');
  expect(await accessibilityFaults(page)).toEqual([]);
  await suggested.getByRole('button').first().click();
  await expect(widget.app.getByRole('heading', { name: 'A piece arrived broken' })).toBeVisible();
  await widget.app.getByRole('button', { name: 'Back' }).click();
  await expect(widget.description).toHaveValue(text);
  await widget.email.fill(newEmail());
  await widget.send.click();
  await widget.conversation.getByText('Sent', { exact: true }).waitFor();

  await widget.back.click();
  await expect(widget.tickets).toBeVisible();
  await widget.app.getByRole('button', { name: 'Find answers' }).click();
  await searchField(widget).fill('delivery');
  await article(widget, 'Delivery times').click();
  await expect(widget.app.getByRole('heading', { level: 1, name: 'Delivery times' })).toBeVisible();
  await widget.app.getByRole('button', { name: 'Back' }).click();
  await widget.app.getByRole('button', { name: 'Back' }).click();
  await expect(widget.tickets).toBeVisible();
});

test('the page opens an article, and an unknown id shows the start view', async ({ page, stack, widget }) => {
  const open = (id: string) => page.evaluate((each) => window.Deskside!('open', { article: each }), id);
  await page.goto(stack.host.origin);
  await open('care');
  await expect(
    widget.app.getByRole('heading', { level: 1, name: 'Looking after your teapot' }),
  ).toBeVisible();
  await widget.app.getByRole('button', { name: 'Back' }).click();
  await expect(widget.app.getByRole('heading', { name: 'How can we help?' })).toBeVisible();
  const missed = page.waitForResponse(/\/missing\.json$/);
  await open('missing');
  expect((await missed).status()).toBe(404);
  await expect(widget.app.getByRole('heading', { name: 'How can we help?' })).toBeVisible();
});

test('a search typed before any script is loaded runs once the scripts are loaded', async ({
  page,
  stack,
  widget,
}) => {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(/\/assets\/app-/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(stack.host.origin);
  await widget.open();
  await searchField(widget).pressSequentially('teapot');
  letGo();
  await expect(article(widget, 'Looking after your teapot')).toBeVisible();
  await expect(searchField(widget)).toHaveValue('teapot');
  await expect(searchField(widget)).toBeFocused();
});

test('a customer with another language reads the articles that exist in it, and the others in English', async ({
  page,
  stack,
}) => {
  await page.goto(`${stack.host.origin}/?lang=de`);
  await page.evaluate(() => window.Deskside!('open'));
  const app = page.frameLocator('iframe');
  const own = app.getByRole('button', { name: 'Eine Bestellung zurücksenden' });
  await expect(own).toBeVisible();
  const english = app.getByRole('listitem').filter({ hasText: 'Delivery times' });
  await expect(english).toHaveAttribute('lang', 'en');
  await english.getByRole('button').click();
  await expect(app.locator('article')).toHaveAttribute('lang', 'en');
  await expect(app.getByRole('heading', { level: 1 })).toHaveAttribute('lang', 'en');
});
