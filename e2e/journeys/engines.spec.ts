import { findWebKit } from '../../scripts/browser.ts';
import { type Agent, signInAgent } from '../support/agent.ts';
import { ticketsAtService } from '../support/at-service.ts';
import { type Customer, playwrightCustomer } from '../support/engines/customer.ts';
import { launchWebKit } from '../support/engines/webkit.ts';
import { expect, newEmail, test as base } from '../support/fixtures.ts';
import type { Stack } from '../support/stack.ts';

const test = base.extend<{ customer: Customer }, { agent: Agent }>({
  customer: async ({ browser }, use, { project }) => {
    if (project.name === 'webkit') {
      const webKit = await launchWebKit(findWebKit()!);
      await use(webKit.customer);
      return webKit.close();
    }
    const context = await browser.newContext();
    await use(playwrightCustomer(await context.newPage()));
    await context.close();
  },
  agent: [async ({ stack }, use) => use(await signInAgent(stack)), { scope: 'worker' }],
});

/** A ticket, the agent's answer, the customer's reply; in any language of the panel. */
async function journey({ customer, agent, stack }: { customer: Customer; agent: Agent; stack: Stack }) {
  const subject = `Cup ${crypto.randomUUID().slice(0, 8)}`;
  const description = 'It is chipped: see https://example.com/cup';
  const sees = (text: string) => expect.poll(() => customer.reads()).toContain(text);
  const words = await customer.open();
  await customer.write(words.fields.customer_email, newEmail());
  await customer.write(words.fields.subject, subject);
  await customer.write(words.fields.description, description);
  await customer.press(words.send);
  await sees(words.states.done);
  await agent.answer(subject, 'A new one is on its way.');
  await sees('A new one is on its way.');
  await customer.write(words.writeReply, 'Thank you!');
  await customer.press(words.sendReply);
  await sees('Thank you!');
  const replies = ['A new one is on its way.', 'Thank you!'];
  await expect.poll(() => ticketsAtService(stack, subject)).toMatchObject([{ description, replies }]);
}

test('a ticket is opened, answered and replied to, and a strict content security policy is not violated', async ({
  customer,
  agent,
  stack,
}) => {
  await customer.goto(`${stack.host.origin}/strict`);
  await journey({ customer, agent, stack });
  expect(await customer.violations()).toEqual([]);
  expect(await customer.direction()).toBe('ltr');
});

test('the check for violations detects one', async ({ customer, stack }) => {
  await customer.goto(`${stack.host.origin}/strict/violating`);
  await customer.open();
  await expect.poll(() => customer.violations()).toContainEqual(expect.stringContaining('script-src'));
});

test('the journey works in a right-to-left language', async ({ customer, agent, stack }) => {
  await customer.goto(`${stack.host.origin}/?lang=ar`);
  await journey({ customer, agent, stack });
  expect(await customer.direction()).toBe('rtl');
});

test('a picture is sent with its ticket, and the agent’s link opens it', async ({ customer, stack }) => {
  const subject = `Crack ${crypto.randomUUID().slice(0, 8)}`;
  await customer.goto(stack.host.origin);
  const words = await customer.open();
  await customer.write(words.fields.customer_email, newEmail());
  await customer.write(words.fields.subject, subject);
  await customer.write(words.fields.description, 'It arrived like this');
  await customer.attach();
  await expect.poll(() => customer.reads()).toContain('crack.png');
  await customer.press(words.send);
  await expect.poll(() => customer.reads(), { timeout: 20_000 }).toContain(words.states.done);
  const [ticket] = await ticketsAtService(stack, subject);
  const link = /^File: crack\.png, .*60 × 40, (http\S+)$/m.exec(ticket!.description)![1]!;
  const picture = await fetch(link);
  expect([picture.status, picture.headers.get('Content-Type')]).toEqual([200, 'image/png']);
});

test('a page that is cross-origin isolated shows the panel', async ({ customer, stack }) => {
  await customer.goto(`${stack.host.origin}/isolated/require-corp`);
  const words = await customer.open();
  await expect.poll(() => customer.reads()).toContain(words.send);
});
