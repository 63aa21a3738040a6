import type { Browser, BrowserContext, Page } from '@playwright/test';
import { paths } from '../../shared/contract/paths.ts';
import { expectSentOnce, ticketsAtService } from '../support/at-service.ts';
import { expect, newEmail, started } from '../support/fixtures.ts';
import { type FrontedStack, startFrontedStack, test as base } from '../support/fronted.ts';
import { Widget } from '../support/pages/widget.ts';

/** Services are stopped here, so the stack is the test's own. */
const test = base.extend<{ own: FrontedStack }>({
  own: started(startFrontedStack),
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

/** Leaves, and comes back with nothing but the cookie, as after "clear site data" of all but cookies. */
async function comeBack(browser: Browser, left: BrowserContext, stack: FrontedStack): Promise<Widget> {
  const cookies = await left.cookies();
  await left.close();
  const context = await browser.newContext();
  await context.addCookies(cookies);
  const widget = new Widget(await context.newPage());
  await widget.page.goto(stack.host.origin);
  return widget;
}

test('texts written while the service is down are there on return with only the cookie, also after the BFF was killed, and arrive once and in order', async ({
  browser,
  own,
}) => {
  const context = await browser.newContext();
  await writeWhileAway(await context.newPage(), own);
  await own.killBff();
  await own.restartBff();
  const widget = await comeBack(browser, context, own);
  await widget.openConversation(text.subject);
  await expect(widget.conversation.getByText(text.description)).toBeVisible();
  await expect(widget.conversation.getByText(/^(First|Second)\.$/)).toHaveText(['First.', 'Second.']);
  await expect(widget.conversation.getByText(waiting)).toHaveCount(3);
  await answerWhileAway(widget, 'Third.');
  await widget.page.goto('about:blank');
  await own.restartService();
  const { subject, ...texts } = { ...text, replies: ['First.', 'Second.', 'Third.'] };
  const arrived = () => ticketsAtService(own, subject);
  await expect.poll(arrived, { timeout: 60_000 }).toMatchObject([texts]);
  const back = await comeBack(browser, widget.page.context(), own);
  await back.openConversation(subject);
  await expectSentOnce(back, own, { subject, ...texts });
  await back.page.context().close();
});
