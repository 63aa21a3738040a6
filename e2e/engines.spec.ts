import { findWebKit } from '../scripts/browser.ts';
import type { Customer } from './engines/customer.ts';
import { playwrightCustomer } from './engines/playwright-customer.ts';
import { webKitCustomer } from './engines/webkit-customer.ts';
import { launchWebKit } from './engines/webkit.ts';
import { expect, newEmail, test as base } from './fixtures.ts';
import type { Desk } from './pages/desk.ts';

/** In the project `webkit` the agent works in Chromium: only the customer's browser is WebKit. */
const test = base.extend<{ customer: Customer }>({
  customer: async ({ page }, use, { project }) => {
    if (project.name !== 'webkit') return use(playwrightCustomer(page));
    const window = await launchWebKit(findWebKit()!);
    await use(webKitCustomer(window));
    await window.close();
  },
});

/** A ticket, the agent's answer, the customer's reply; in whatever language the panel speaks. */
async function journey(customer: Customer, desk: Desk): Promise<void> {
  const subject = `Cup ${crypto.randomUUID().slice(0, 8)}`;
  const sees = (text: string) => expect.poll(() => customer.reads()).toContain(text);
  const words = await customer.open();
  await customer.write(words.fields.customer_email, newEmail());
  await customer.write(words.fields.subject, subject);
  await customer.write(words.fields.description, 'It is chipped: see https://example.com/cup');
  await customer.press(words.send);
  await sees(words.states.done);

  await desk.openTicket(subject);
  await desk.answer('A new one is on its way.');
  await sees('A new one is on its way.');

  await customer.write(words.writeReply, 'Thank you!');
  await customer.press(words.sendReply);
  await sees('Thank you!');
  await expect(async () => {
    await desk.openTicket(subject);
    await expect(desk.page.getByText('Thank you!')).toHaveCount(1, { timeout: 500 });
  }).toPass();
}

test('a ticket is opened, answered and replied to', async ({ customer, desk, stack }) => {
  await customer.goto(stack.host.origin);
  await journey(customer, desk);
  expect(await customer.direction()).toBe('ltr');
});

test('under the strictest policy of a site nothing is violated, on the page or in the panel', async ({
  customer,
  desk,
  stack,
}) => {
  await customer.goto(`${stack.host.origin}/strict`);
  await journey(customer, desk);
  expect(await customer.violations()).toEqual([]);
});

test('the check for violations sees one', async ({ customer, stack }) => {
  await customer.goto(`${stack.host.origin}/strict?violate`);
  await customer.open();
  await expect.poll(() => customer.violations()).toContainEqual(expect.stringContaining('script-src'));
});

test('all of it from right to left', async ({ customer, desk, stack }) => {
  await customer.goto(`${stack.host.origin}/?lang=ar`);
  await journey(customer, desk);
  expect(await customer.direction()).toBe('rtl');
});
