import type { Page } from '@playwright/test';
import { paths } from '../../shared/contract/paths.ts';
import { frameOf } from '../support/at-service.ts';
import { expect, newEmail, test } from '../support/fixtures.ts';
import { Widget } from '../support/pages/widget.ts';

/** How many event streams a page holds open, counted from its requests. */
function countStreams(page: Page) {
  const open = new Set<unknown>();
  const isStream = (url: string) => new URL(url).pathname === paths.events;
  page.on('request', (request) => isStream(request.url()) && open.add(request));
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  page.on('close', () => open.clear());
  return () => open.size;
}

/** What the browser reports to a page that is hidden or shown again. */
const setVisibility = (widget: Widget, state: 'visible' | 'hidden') =>
  frameOf(widget).evaluate((value) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);

/** From the host page into the panel. */
async function turnTo(widget: Widget) {
  await widget.page.getByRole('heading', { name: 'A shop' }).click();
  await widget.reply.click();
}

const newTicket = () => ({
  email: newEmail(),
  subject: `Live ${crypto.randomUUID().slice(0, 8)}`,
  description: 'The lid is chipped.',
});

/** A customer with a ticket, and two windows of their browser; the second was opened last, its panel is closed. */
const twoWindows = test.extend<{
  windows: { streams: () => number[]; first: Widget; second: Widget; subject: string };
}>({
  windows: async ({ page, stack, widget }, use) => {
    const ticket = newTicket();
    const counts = [countStreams(page)];
    await page.goto(stack.host.origin);
    await widget.open();
    // A window that turns to a conversation takes the stream: it has done so before the other window is there.
    const followed = page.waitForRequest((request) => new URL(request.url()).searchParams.has('thread'));
    await widget.openTicket(ticket);
    await followed;
    const other = await page.context().newPage();
    counts.push(countStreams(other));
    await other.goto(stack.host.origin);
    const streams = () => counts.map((count) => count());
    await expect.poll(streams).toEqual([0, 1]);
    await use({ streams, first: widget, second: new Widget(other), subject: ticket.subject });
  },
});

twoWindows('two windows share one stream, and both show an answer', async ({ windows, desk }) => {
  const { streams, first, second, subject } = windows;
  await desk.openTicket(subject);
  await desk.answer('It is on its way.');
  await expect(first.conversation.getByText('It is on its way.')).toBeVisible();
  expect(streams()).toEqual([0, 1]);
  // Where the customer turns, there is the stream.
  await turnTo(first);
  await expect.poll(streams).toEqual([1, 0]);
  await second.openConversation(subject);
  await expect.poll(streams).toEqual([0, 1]);
  await desk.answer('It is there tomorrow.');
  await expect(first.conversation.getByText('It is there tomorrow.')).toBeVisible();
  await expect(second.conversation.getByText('It is there tomorrow.')).toBeVisible();
});

twoWindows(
  'when the window with the stream closes, the other one goes on and misses nothing',
  async ({ windows, desk }) => {
    const { streams, first, second, subject } = windows;
    await desk.openTicket(subject);
    await Promise.all([second.page.close(), desk.answer('Said while nobody led.')]);
    await expect(first.conversation.getByText('Said while nobody led.')).toBeVisible();
    await desk.answer('Said after that.');
    await expect(first.conversation.getByText('Said after that.')).toBeVisible();
    expect(streams()).toEqual([1, 0]);
  },
);

twoWindows('a window that goes out of sight gives the stream to the one in sight', async ({ windows }) => {
  const { streams, second } = windows;
  await setVisibility(second, 'hidden');
  await expect.poll(streams).toEqual([1, 0]);
  await setVisibility(second, 'visible');
  await expect.poll(streams).toEqual([0, 1]);
});

twoWindows(
  'a window that the browser has frozen loses the stream to the one in use',
  async ({ windows, desk }) => {
    const { streams, first, second, subject } = windows;
    const cdp = await second.page.context().newCDPSession(second.page);
    await cdp.send('Page.setWebLifecycleState', { state: 'frozen' });
    await turnTo(first);
    await desk.openTicket(subject);
    await desk.answer('Wide awake.');
    await expect(first.conversation.getByText('Wide awake.')).toBeVisible();
    await expect.poll(() => streams()[0]).toBe(1);
    await cdp.send('Page.setWebLifecycleState', { state: 'active' });
    await expect(second.launcher).toHaveAccessibleName('Open support');
  },
);

twoWindows('what is read in one window is read in all', async ({ windows, desk }) => {
  const { first, second, subject } = windows;
  await first.launcher.click();
  await desk.openTicket(subject);
  await desk.answer('One.');
  for (const { launcher } of [first, second]) await expect(launcher).toHaveAccessibleName(/, 1 unread/);
  await desk.answer('Two.');
  for (const { launcher } of [first, second]) await expect(launcher).toHaveAccessibleName(/, 2 unread/);
  await second.launcher.click();
  await second.answer('Thanks, I have both.');
  await second.conversation.getByText('Thanks, I have both.').waitFor();
  await second.launcher.click();
  for (const { launcher } of [first, second]) await expect(launcher).toHaveAccessibleName('Open support');
});
