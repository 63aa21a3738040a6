import type { Browser, BrowserContext, Page } from '@playwright/test';
import { paths } from '../../shared/contract/paths.ts';
import { expectSentOnce, ticketsAtService } from '../support/at-service.ts';
import { expect, newEmail } from '../support/fixtures.ts';
import { type FrontedStack, startFrontedStack, test as base } from '../support/fronted.ts';
import { Desk } from '../support/pages/desk.ts';
import { Widget } from '../support/pages/widget.ts';

/** Services are stopped here, so each test has a stack of its own. */
const test = base.extend<{ own: FrontedStack }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixture's needs from this pattern
  own: async ({}, use) => {
    const stack = await startFrontedStack();
    await use(stack);
    await stack.stop();
  },
  desk: async ({ browser, own }, use) => {
    const context = await browser.newContext();
    const desk = new Desk(await context.newPage(), own);
    await desk.signIn();
    await use(desk);
    await context.close();
  },
});
test.describe.configure({ timeout: 120_000 });

const waiting = 'Waiting to be delivered';

/** Longer than the preview that a list shows. */
const text = {
  subject: 'While you were away',
  description: `It came like this. ${'I describe it at length. '.repeat(20)}What now?`,
};

const accepted = (page: Page, path: RegExp) =>
  page.waitForResponse((response) => path.test(response.url()) && response.status() === 202);

/** Writes a reply and waits until the BFF has it. */
async function answerWhileAway(widget: Widget, body: string): Promise<void> {
  const isAccepted = accepted(widget.page, /\/messages$/);
  await widget.answer(body);
  await isAccepted;
}

/** A ticket and two replies to it, written while the service is stopped; the BFF has them all. */
async function writeWhileAway(page: Page, stack: FrontedStack): Promise<Widget> {
  const widget = new Widget(page);
  await page.goto(stack.host.origin);
  await stack.service.stop();
  await widget.open();
  await widget.write({ email: newEmail(), ...text });
  const isAccepted = accepted(page, new RegExp(`${paths.tickets}$`));
  await widget.send.click();
  await isAccepted;
  await answerWhileAway(widget, 'First.');
  await answerWhileAway(widget, 'Second.');
  await expect(widget.conversation.getByText(waiting)).toHaveCount(3);
  return widget;
}

/** The same customer with nothing but the cookie, as after "clear site data" of all but cookies. */
async function comeBack(browser: Browser, left: BrowserContext, stack: FrontedStack): Promise<Widget> {
  const cookies = await left.cookies();
  await left.close();
  const context = await browser.newContext();
  await context.addCookies(cookies);
  const widget = new Widget(await context.newPage());
  await widget.page.goto(stack.host.origin);
  return widget;
}

const sent = { ...text, replies: ['First.', 'Second.'] };

test('texts written while the service is down arrive once and in order, after the page was closed and the BFF killed', async ({
  browser,
  own,
}) => {
  const context = await browser.newContext();
  await writeWhileAway(await context.newPage(), own);
  const cookies = await context.cookies();
  await context.close();
  await own.killBff();
  await own.restartBff();
  await own.restartService();
  const { subject, ...texts } = sent;
  const arrived = () => ticketsAtService(own, subject);
  await expect.poll(arrived, { timeout: 60_000 }).toMatchObject([texts]);
  const returned = await browser.newContext();
  await returned.addCookies(cookies);
  const widget = new Widget(await returned.newPage());
  await widget.page.goto(own.host.origin);
  await widget.openConversation(text.subject);
  await expectSentOnce(widget, own, sent);
  await returned.close();
});

test('a customer who comes back with only the cookie sees all waiting texts, and then that they were sent', async ({
  browser,
  own,
}) => {
  const context = await browser.newContext();
  await writeWhileAway(await context.newPage(), own);
  const widget = await comeBack(browser, context, own);
  await widget.openConversation(text.subject);
  await expect(widget.conversation.getByText(text.description)).toBeVisible();
  await expect(widget.conversation.getByText(/^(First|Second)\.$/)).toHaveText(['First.', 'Second.']);
  await expect(widget.conversation.getByText(waiting)).toHaveCount(3);
  await answerWhileAway(widget, 'Third.');
  await own.restartService();
  await expect(widget.conversation.getByText(waiting)).toHaveCount(0, { timeout: 60_000 });
  await expectSentOnce(widget, own, { ...text, replies: ['First.', 'Second.', 'Third.'] });
  await widget.page.context().close();
});

test(
  'a reply that is refused while its writer is away is shown on return, and can start a new ticket',
  { tag: '@slow' },
  async ({ browser, own, desk }) => {
    const context = await browser.newContext();
    const writer = new Widget(await context.newPage());
    await writer.page.goto(own.host.origin);
    await writer.open();
    await writer.openTicket({ email: newEmail(), subject: 'Moved', description: 'The lid is chipped.' });
    await writer.back.click();
    await writer.app.getByRole('button', { name: 'New ticket' }).click();
    await writer.openTicket({ email: newEmail(), subject: 'Stays', description: 'Another thing.' });
    await writer.back.click();
    await writer.tickets.getByText('Moved').click();
    await own.front.close();
    await answerWhileAway(writer, 'This waits.');
    await expect(writer.conversation.getByText(waiting)).toBeVisible();

    const [target] = await ticketsAtService(own, 'Stays');
    await desk.openTicket('Moved');
    await desk.mergeInto(String(target!.ticket_number));
    const merged = () => ticketsAtService(own, 'Moved');
    await expect.poll(merged).toEqual([]);

    const customer = await comeBack(browser, context, own);
    await own.front.reopen();
    await customer.openConversation('Moved');
    const { app, conversation } = customer;
    await expect(app.getByRole('heading', { name: 'This ticket was merged into another' })).toBeVisible({
      timeout: 60_000,
    });
    await expect(conversation.getByText('This waits.')).toBeVisible();
    await expect(conversation.getByText('Not sent')).toBeVisible();
    await app.getByRole('button', { name: 'Start a new ticket' }).click();
    await expect(customer.description).toHaveValue('This waits.');
    await customer.subject.fill('Once more');
    await customer.send.click();
    await expectSentOnce(customer, own, { subject: 'Once more', description: 'This waits.' });
    await customer.page.context().close();
  },
);
