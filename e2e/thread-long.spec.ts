import type { Page } from '@playwright/test';
import type { Message, TicketSummary } from '../bff/contract/tickets.ts';
import { expect, test } from './fixtures.ts';
import { Widget } from './pages/widget.ts';

// So much text on a busy machine: slow is no fault here, a page that hangs still is.
test.setTimeout(150_000);

const count = 2_000;
const summary: TicketSummary = {
  id: crypto.randomUUID(),
  key: null,
  ticket_number: 7,
  subject: 'A long story',
  status: 'open',
  priority: null,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-03-01T00:00:00Z',
  unread: 0,
  state: 'done',
  can_retry: false,
  closed: false,
  preview: null,
};
const messages = Array.from({ length: count }, (_, place): Message => ({
  id: crypto.randomUUID(),
  key: null,
  author_type: place % 3 ? 'agent' : 'customer',
  body: `Message number ${place}. ${'It has a few words. '.repeat(1 + (place % 7))}https://example.com/${place}`,
  created_at: new Date(Date.UTC(2026, 0, 1) + place * 600_000).toISOString(),
  state: 'done',
  can_retry: false,
  hidden: false,
}));

/** A browser that has been here before, and a BFF that knows one very long conversation. */
async function openLongThread(page: Page, bffUrl: string) {
  const session = {
    customer: { email: 'ana@example.com', name: null, verified: false },
    unread: 0,
    brand: null,
    claimable: 0,
    email_code: false,
  };
  const thread = { ...summary, messages, read_at: new Date().toISOString() };
  await page.addInitScript(() => localStorage.setItem('deskside:v1:used', 'true'));
  await page.route(`**/api/tickets/${summary.id}`, (route) => route.fulfill({ json: { data: thread } }));
  const sync = { session, tickets: [summary], thread: null };
  let isFirst = true;
  await page.route('**/api/events*', async (route) => {
    const isAnswered = isFirst;
    isFirst = false;
    // One event; a stream that ended and came back all the time would be another test.
    if (isAnswered)
      await route.fulfill({
        contentType: 'text/event-stream',
        body: `event: sync\ndata: ${JSON.stringify(sync)}\n\n`,
      });
  });
  await page.goto(bffUrl);
  const full = new Widget(page, true);
  await full.tickets.getByText(summary.subject).click();
  await full.conversation.waitFor();
  return full;
}

test('of thousands of messages the newest is in sight, and every other can be reached and found', async ({
  page,
  stack,
}) => {
  const { conversation, reply } = await openLongThread(page, stack.bffUrl);
  // By place: to look for words among so many takes a test longer than the browser.
  const message = (place: number) => page.locator('.message').nth(place);
  // It begins with the newest: only when all are there is this one the last by its place.
  await expect(message(count - 1)).toBeInViewport({ timeout: 60_000 });
  await expect(reply).toBeFocused();
  // What is far away is there, but costs no layout.
  const isLaidOut = (place: number) =>
    message(place).evaluate((element) => element.checkVisibility({ contentVisibilityAuto: true }));
  expect(await isLaidOut(count - 1)).toBe(true);
  expect(await isLaidOut(0)).toBe(false);

  // Under the keyboard all of it is laid out, so that one key goes all the way.
  await page.keyboard.press('Shift');
  await conversation.focus();
  await expect(conversation).toBeFocused();
  await expect.poll(() => isLaidOut(0)).toBe(true);
  await page.keyboard.press('Home');
  await expect(message(0)).toBeInViewport();
  // The mouse takes over from the keyboard, and everything stays where it was.
  await page.keyboard.press('PageDown');
  await expect(message(0)).not.toBeInViewport();
  const placeOf = async (place: number) => Math.round((await message(place).boundingBox())!.y);
  let last = NaN;
  const rests = async () => last === (last = await placeOf(0));
  await expect.poll(rests).toBe(true);
  const seen = await conversation.evaluate((log) => {
    const { top } = log.getBoundingClientRect();
    return [...log.querySelectorAll('.message')].findIndex((each) => each.getBoundingClientRect().top > top);
  });
  const before = await placeOf(seen);
  await message(seen).getByRole('link').hover();
  await page.mouse.down();
  await expect(message(seen).getByRole('link')).toBeFocused();
  expect(Math.abs((await placeOf(seen)) - before)).toBeLessThan(5);
  await page.mouse.move(0, 0);
  await page.mouse.up();
  await page.getByRole('button', { name: 'Newest messages' }).click();
  await expect(message(count - 1)).toBeInViewport();
  await expect(conversation).toBeFocused();

  // As the browser's own search does: from here upwards, through what is not laid out.
  const found = await page.evaluate(() => {
    getSelection()!.removeAllRanges();
    const { find } = window as unknown as {
      find(text: string, isExact: boolean, isBackwards: boolean): boolean;
    };
    return find('number 700.', false, true) && getSelection()!.anchorNode!.textContent;
  });
  expect(found).toContain('Message number 700.');
  await message(700).scrollIntoViewIfNeeded();
  await expect(message(700)).toBeInViewport();
});
