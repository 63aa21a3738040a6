import { expect, newEmail, testWith } from '../support/fixtures.ts';
import { Widget } from '../support/pages/widget.ts';

/** The BFF under a path of the site's own host, behind a proxy of the site. */
const test = testWith(({ origin }) => ({ PUBLIC_URL: `${origin}/support` }));

test('under a path of the site a ticket is opened, answered live and replied to, also on the full page', async ({
  page,
  stack,
  desk,
}) => {
  const { host } = stack;
  Object.assign(host, { bffUrl: `${host.origin}/support`, passesTo: stack.bffUrl });
  const outside: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname !== '/' && !/^\/support(\/|$)/.test(pathname)) outside.push(pathname);
  });
  const faults: string[] = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));

  const widget = new Widget(page);
  await page.goto(host.origin);
  await widget.open();
  const subject = `Cup ${crypto.randomUUID().slice(0, 8)}`;
  await widget.openTicket({ email: newEmail(), subject, description: 'It is chipped.' });
  await desk.openTicket(subject);
  await desk.answer('We send a new one.');
  await expect(widget.conversation.getByText('We send a new one.')).toBeVisible();

  await page.goto(`${host.origin}/support`);
  expect(page.url()).toBe(`${host.origin}/support/`);
  const full = new Widget(page, true);
  await full.tickets.getByText(subject).click();
  await full.answer('Thank you.');
  await expect(full.conversation.getByText('Thank you.')).toBeVisible();
  expect(outside).toEqual([]);
  expect(faults).toEqual([]);
});
