import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { Client, ClientState } from '../../widget/npm/client.d.ts';
import { expect, newEmail, testWith } from '../support/fixtures.ts';
import type { Stack } from '../support/stack.ts';

declare global {
  interface Window {
    client: Client;
    codes: string[];
  }
}

const test = testWith(
  (host) => ({ CLIENT_ORIGINS: host.origin }),
  ({ origin }) => [origin, origin.replace('localhost', '127.0.0.1')],
);

/** A page of the site, with a client and nothing else of ours. */
async function startClient(page: Page, { bffUrl, host }: Stack, origin = host.origin): Promise<void> {
  const code = await readFile('widget/npm/client.js', 'utf8');
  if (!page.url().startsWith(origin)) await page.goto(`${origin}/token`);
  await page.addScriptTag({
    type: 'module',
    content: `${code}
      window.codes = [];
      window.client = createClient({ src: '${bffUrl}', locale: 'en' });
      client.on('error', ({ code }) => codes.push(code));`,
  });
  await page.waitForFunction(() => 'client' in window);
}
const stateOf = (page: Page): Promise<ClientState> => page.evaluate(() => window.client.state);
const bodies = async (page: Page) => (await stateOf(page)).conversation?.messages.map(({ body }) => body);

test('a site without the widget opens a ticket, shows the answer as it comes, and replies', async ({
  page,
  stack,
  desk,
}) => {
  await startClient(page, stack);
  const subject = `Lamp ${crypto.randomUUID().slice(0, 8)}`;
  await page.evaluate(async (ticket) => window.client.follow(await window.client.openTicket(ticket)), {
    subject,
    message: 'It flickers.',
    email: newEmail(),
  });
  await expect
    .poll(async () => (await stateOf(page)).tickets?.map((ticket) => [ticket.subject, ticket.state]))
    .toEqual([[subject, 'done']]);
  await desk.openTicket(subject);
  await desk.answer('Which lamp?');
  await expect.poll(() => bodies(page)).toEqual(['It flickers.', 'Which lamp?']);
  await page.evaluate(() => window.client.reply(window.client.state.conversation!.ref, 'The red one.'));
  await expect(desk.page.getByText('The red one.')).toBeVisible();

  await test.step('the next page finds the ticket, and its conversation', async () => {
    await page.reload();
    await startClient(page, stack);
    await expect.poll(async () => (await stateOf(page)).tickets?.length).toBe(1);
    await page.evaluate(() => window.client.follow(window.client.state.tickets![0]!.id));
    await expect.poll(() => bodies(page)).toEqual(['It flickers.', 'Which lamp?', 'The red one.']);
  });
});

test('what cannot be sent is refused with its fields, and nothing is sent', async ({ page, stack }) => {
  await startClient(page, stack);
  const refusal = await page.evaluate(() =>
    window.client.openTicket({ message: '', email: 'nobody' }).then(
      () => null,
      ({ code, fields }) => ({ code, fields }),
    ),
  );
  expect(refusal).toEqual({ code: 'invalid_request', fields: { message: 'required', email: 'invalid' } });
  expect((await stateOf(page)).tickets ?? []).toEqual([]);
});

test('a ticket that is written offline waits in the browser, and is sent once by the next page', async ({
  page,
  stack,
  desk,
}) => {
  await startClient(page, stack);
  await page.waitForFunction(
    () => window.client.state.tickets !== null || document.readyState === 'complete',
  );
  await page.route(`${stack.bffUrl}/api/tickets`, (route) => route.abort());
  const subject = `Cup ${crypto.randomUUID().slice(0, 8)}`;
  await page.evaluate((ticket) => window.client.openTicket(ticket), {
    subject,
    message: 'It is chipped.',
    email: newEmail(),
  });
  await page.unroute(`${stack.bffUrl}/api/tickets`);
  await page.reload();
  await startClient(page, stack);
  await expect.poll(async () => (await stateOf(page)).tickets?.[0]?.state).toBe('done');
  await desk.openTicket(subject);
});

test('a site that may show the widget, but not use the client, reads nothing [browser-37]', async ({
  page,
  stack,
}) => {
  await page.clock.install();
  await startClient(page, stack, stack.host.origin.replace('localhost', '127.0.0.1'));
  await page.clock.runFor(11_000);
  expect(await page.evaluate(() => window.codes)).toEqual(['frame_unavailable']);
  expect((await stateOf(page)).tickets).toBeNull();
});
