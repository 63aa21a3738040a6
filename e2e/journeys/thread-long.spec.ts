import type { Page } from '@playwright/test';
import { startFakeService } from '../../scripts/fake-service.ts';
import { expect, newEmail, started, test as base } from '../support/fixtures.ts';
import { Widget } from '../support/pages/widget.ts';
import { startStack } from '../support/stack.ts';

/** Requests for a page before the newest. */
const earlierPages = /\/api\/tickets\/.+before=./;

type Slim = Awaited<ReturnType<typeof startFakeService>>;

const count = 600;
const page50 = 50;
const textOf = (place: number) =>
  `Answer number ${place}. ${'It has a few words. '.repeat(1 + (place % 7))}https://example.com/${place}`;

/** A real BFF before a service in memory, where a conversation can have many messages. */
const test = base.extend<object, { slim: Slim; slimBff: string }>({
  slim: [started(startFakeService), { scope: 'worker' }],
  slimBff: [
    async ({ slim }, use) => {
      const stack = await startStack({}, undefined, async () => slim.url);
      await use(stack.bffUrl);
      await stack.stop();
    },
    { scope: 'worker' },
  ],
});

/** Records every text that the page fetches; streams as they arrive. */
async function noteTransfers(page: Page) {
  await page.addInitScript(() => {
    const received: { url: string; text: string }[] = [];
    Object.assign(window, { received });
    const send = window.fetch.bind(window);
    window.fetch = async (...request) => {
      const response = await send(...request);
      const entry = { url: response.url, text: '' };
      received.push(entry);
      void response
        .clone()
        .body?.pipeThrough(new TextDecoderStream())
        .pipeTo(new WritableStream({ write: (text) => void (entry.text += text) }))
        .catch(() => {});
      return response;
    };
  });
  const received = () =>
    page.evaluate(() => (window as unknown as { received: { url: string; text: string }[] }).received);
  return {
    /** Requests for the conversation. */
    threads: async () => (await received()).filter(({ url }) => /\/api\/tickets\/[^/]+$/.test(url)),
    /** How often each answer was transferred, by its number. */
    async times() {
      const found = (await received()).flatMap(({ text }) => [
        ...text.matchAll(/"body":"Answer number (\d+)\./g),
      ]);
      const times = new Map<number, number>();
      for (const [, place] of found) times.set(Number(place), (times.get(Number(place)) ?? 0) + 1);
      return times;
    },
  };
}

/** A customer whose ticket has so many answers, all of them read, at their list of tickets. */
async function withAnswers(page: Page, slim: Slim, url: string, length: number) {
  const full = new Widget(page, true);
  const subject = `A long story ${crypto.randomUUID().slice(0, 8)}`;
  await page.goto(url);
  await full.openTicket({ email: newEmail(), subject, description: 'It began like this.' });
  const ticketId = [...slim.tickets.keys()].at(-1)!;
  const begun = Date.now() - length * 600_000;
  for (let place = 0; place < length; place += 1)
    slim.addMessage(ticketId, 'agent', textOf(place), begun + place * 600_000);
  const last = full.conversation.getByText(`Answer number ${length - 1}.`);
  await last.waitFor();
  await expect(async () => {
    await full.conversation.press('End');
    await expect(page.getByRole('button', { name: /new repl|Newest/ })).toHaveCount(0, { timeout: 500 });
  }).toPass();
  await full.back.click();
  await expect(full.tickets.getByText(/new/)).toHaveCount(0);
  return { full, subject, ticketId };
}

test('opening a conversation of hundreds of messages loads the newest page once, and Home each other page once', async ({
  page,
  slim,
  slimBff,
}) => {
  test.setTimeout(120_000);
  const transfers = await noteTransfers(page);
  const { full, subject } = await withAnswers(page, slim, slimBff, count);
  await page.reload();
  await full.tickets.getByText(subject, { exact: true }).click();
  const { conversation } = full;
  await expect(conversation.getByText(`Answer number ${count - 1}.`)).toBeInViewport();
  await expect(full.reply).toBeFocused();
  await expect(conversation.getByText(`Answer number ${count - page50 - 1}.`)).toHaveCount(0);
  // The stream follows the conversation by now; an answer by it shows that its first event is here.
  await expect.poll(async () => (await transfers.threads()).length).toBe(1);
  const opened = await transfers.times();
  expect([opened.size, Math.max(...opened.values())]).toEqual([page50, 1]);

  await page.keyboard.press('Shift');
  await conversation.focus();
  await page.keyboard.press('Home');
  await expect(conversation.getByText('It began like this.')).toBeInViewport({ timeout: 60_000 });
  await expect(conversation).toBeFocused();
  expect(
    await conversation.evaluate((log) => Math.round(log.scrollHeight - log.clientHeight + log.scrollTop)),
  ).toBeLessThan(2);
  await expect(conversation.locator('.message')).toHaveCount(count + 1);
  const all = await transfers.times();
  expect([all.size, Math.max(...all.values())]).toEqual([count, 1]);

  // The mouse takes over from the keyboard, and everything stays where it was.
  const link = conversation.getByRole('link', { name: 'https://example.com/2', exact: true });
  await link.scrollIntoViewIfNeeded();
  const before = (await link.boundingBox())!.y;
  await link.hover();
  await page.mouse.down();
  await expect(link).toBeFocused();
  expect((await link.boundingBox())!.y).toBeCloseTo(before, 0);
  await page.mouse.move(0, 0);
  await page.mouse.up();
  await page.getByRole('button', { name: 'Newest messages' }).click();
  await expect(conversation.getByText(`Answer number ${count - 1}.`)).toBeInViewport();
  await expect(conversation).toBeFocused();
});

test('loading earlier messages does not move the messages on screen', async ({ page, slim, slimBff }) => {
  const { full, subject } = await withAnswers(page, slim, slimBff, 120);
  await page.reload();
  const held: (() => void)[] = [];
  await page.route(earlierPages, async (route) => {
    await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  await full.tickets.getByText(subject, { exact: true }).click();
  const { conversation } = full;
  await conversation.hover();
  await expect(async () => {
    await page.mouse.wheel(0, -2_000);
    expect(held).toHaveLength(1);
  }).toPass();
  await page.mouse.wheel(0, -20_000);
  await expect(page.getByRole('button', { name: 'Loading…' })).toBeInViewport();
  const oldest = conversation.getByText('Answer number 70.');
  await expect(oldest).toBeInViewport();
  const before = (await oldest.boundingBox())!.y;
  held[0]!();
  await expect(conversation.getByText('Answer number 20.')).toBeAttached();
  expect((await oldest.boundingBox())!.y).toBeCloseTo(before, 0);
});

test('earlier messages that failed to load have a retry, and the last page leaves the focus in the log', async ({
  page,
  slim,
  slimBff,
}) => {
  const { full, subject } = await withAnswers(page, slim, slimBff, 60);
  await page.reload();
  await page.route(earlierPages, (route) => route.abort());
  await full.tickets.getByText(subject, { exact: true }).click();
  const { conversation } = full;
  // A press that comes while the conversation still moves to its place is lost.
  await expect(async () => {
    await conversation.press('Home');
    await expect(conversation.getByRole('alert')).toHaveText('This couldn’t be loaded', { timeout: 1_000 });
  }).toPass();
  await page.unroute(earlierPages);
  const earlier = conversation.getByRole('button', { name: 'Earlier messages' });
  await earlier.focus();
  await page.keyboard.press('Enter');
  await expect(conversation.getByText('It began like this.')).toBeAttached();
  await expect(earlier).toHaveCount(0);
  await expect(conversation).toBeFocused();
});

test('an answer taller than the screen is shown from its start, unread or as it arrives', async ({
  page,
  slim,
  slimBff,
}) => {
  const { full, subject, ticketId } = await withAnswers(page, slim, slimBff, 30);
  const tall = (name: string) => `${name} begins.\n${'One more line.\n'.repeat(120)}${name} ends.`;
  const { conversation } = full;
  const line = conversation.getByText('1 new reply');
  const isAtTop = async () => {
    const [place, log] = await Promise.all([line.boundingBox(), conversation.boundingBox()]);
    const below = Math.round(place!.y - log!.y);
    return below >= 0 && below < 60;
  };
  slim.addMessage(ticketId, 'agent', tall('The first'));
  await expect(full.tickets.getByText('1 new')).toBeVisible();
  await full.tickets.getByText(subject, { exact: true }).click();
  await expect(line).toBeInViewport();
  await expect.poll(isAtTop).toBe(true);
  await expect(conversation.getByText('The first begins.')).toBeInViewport();
  // Its end has not been in sight.
  await expect(page.getByRole('button', { name: '1 new reply' })).toBeVisible();
  await conversation.press('End');
  await expect(page.getByRole('button', { name: /new reply|Newest/ })).toHaveCount(0);

  slim.addMessage(ticketId, 'agent', tall('The second'));
  await expect(conversation.getByText('The second begins.')).toBeInViewport();
  await expect.poll(isAtTop).toBe(true);
  await expect(page.getByRole('button', { name: '1 new reply' })).toBeVisible();
});
