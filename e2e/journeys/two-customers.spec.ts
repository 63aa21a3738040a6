import type { Page, Route } from '@playwright/test';
import { frameOf, ticketsAtService } from '../support/at-service.ts';
import { expect, newEmail, testWithIdentity as test } from '../support/fixtures.ts';
import { inFrame, launchKeeping, markWhenKept } from '../support/kept-pages.ts';
import { Widget } from '../support/pages/widget.ts';
import type { Stack } from '../support/stack.ts';

const signedInPage = (stack: Stack, email: string) =>
  `${stack.host.origin}/signed-in?email=${encodeURIComponent(email)}`;
const waiting = (widget: Widget) => widget.app.getByRole('heading', { name: 'Signing you in…' });
const asNobody = (widget: Widget) => widget.app.getByRole('button', { name: 'Continue without signing in' });

/** Ana, signed in, with one conversation open and a reply begun. */
async function ana(page: Page, stack: Stack) {
  const widget = new Widget(page);
  const email = newEmail();
  const subject = `Ana’s ${crypto.randomUUID().slice(0, 8)}`;
  await page.goto(signedInPage(stack, email));
  await widget.open();
  await expect(widget.email).toHaveValue(email);
  await widget.subject.fill(subject);
  await widget.description.fill('It is chipped.');
  await widget.send.click();
  await expect(widget.conversation.getByText('Sent', { exact: true })).toBeVisible();
  await widget.reply.fill('A draft of Ana’s');
  return { widget, email, subject };
}

/** Nothing of Ana's is on this page, in any view. */
async function expectNothingOf(widget: Widget, { email, subject }: { email: string; subject: string }) {
  const text = await widget.app.locator('body').evaluate((body) => {
    const fields = [...body.querySelectorAll<HTMLInputElement>('input, textarea')];
    return [body.textContent, ...fields.map(({ value }) => value)].join('\n');
  });
  for (const words of [email, subject, 'chipped', 'A draft of Ana’s']) expect(text).not.toContain(words);
}

/** The site's endpoint for tokens, answered by the test. */
async function delayTokens(page: Page) {
  const pending: Route[] = [];
  await page.route('**/token?*', (route) => void pending.push(route));
  return {
    asked: () => expect.poll(() => pending.length).toBeGreaterThan(0),
    release: () => Promise.all(pending.splice(0).map((route) => route.continue())),
  };
}

test('while the next customer’s token is late, the last one’s conversation is hidden [identity-13]', async ({
  page,
  stack,
}) => {
  const last = await ana(page, stack);
  const tokens = await delayTokens(page);
  const email = newEmail();
  await page.goto(signedInPage(stack, email));
  await last.widget.launcher.click();
  await expect(waiting(last.widget)).toBeVisible();
  await tokens.asked();
  await expectNothingOf(last.widget, last);
  await tokens.release();
  await expect(last.widget.email).toHaveValue(email);
  await expectNothingOf(last.widget, last);
});

test('when the next customer’s token is refused, the last one’s session ends', async ({
  page,
  context,
  stack,
}) => {
  const last = await ana(page, stack);
  await page.route('**/token?*', (route) => route.fulfill({ body: 'no.token.ofours' }));
  await page.goto(signedInPage(stack, newEmail()));
  await last.widget.open();
  await expect(last.widget.email).toHaveValue('');
  await expectNothingOf(last.widget, last);
  await expect
    .poll(async () => (await context.cookies()).filter(({ name }) => name.includes('deskside')))
    .toEqual([]);
  await page.goto(stack.host.origin);
  await last.widget.open();
  await expectNothingOf(last.widget, last);
});

test('a customer who does not wait for the token writes anonymously', async ({ page, stack }) => {
  const last = await ana(page, stack);
  await delayTokens(page);
  await page.goto(signedInPage(stack, newEmail()));
  await last.widget.launcher.click();
  await asNobody(last.widget).click();
  await expect(last.widget.email).toHaveValue('');
  await expectNothingOf(last.widget, last);
  const subject = `Nobody’s ${crypto.randomUUID().slice(0, 8)}`;
  await last.widget.openTicket({ email: newEmail(), subject, description: 'Where is it?' });
});

test('a waiting ticket is sent by its writer, not by the next customer', async ({ page, context, stack }) => {
  const { widget, email } = await ana(page, stack);
  await widget.back.click();
  await widget.app.getByRole('button', { name: 'New ticket' }).click();
  const subject = `Waits ${crypto.randomUUID().slice(0, 8)}`;
  await widget.subject.fill(subject);
  await widget.description.fill('Written offline.');
  await page.route('**/api/tickets', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  );
  await widget.send.click();
  await expect(widget.conversation.getByText('Waiting to be delivered')).toBeVisible();
  await context.clearCookies();
  await page.goto('about:blank');
  await page.unroute('**/api/tickets');

  await page.goto(signedInPage(stack, newEmail()));
  await widget.open();
  await expect(widget.email).not.toHaveValue('');
  await expect(widget.app.getByText(subject)).toHaveCount(0);
  await widget.subject.fill('Bob’s own');
  await widget.description.fill('Hello');
  await widget.send.click();
  await expect(widget.conversation.getByText('Sent', { exact: true })).toBeVisible();
  expect(await ticketsAtService(stack, subject)).toEqual([]);

  await page.goto(signedInPage(stack, email));
  await widget.open();
  await expect(widget.tickets.getByText(subject)).toBeVisible();
  await expect.poll(() => ticketsAtService(stack, subject)).toHaveLength(1);
});

test('signing out ends the session also when the site has cleared its storage [identity-22]', async ({
  page,
  context,
  stack,
}) => {
  const last = await ana(page, stack);
  await frameOf(last.widget).evaluate(() => localStorage.clear());
  await page.evaluate(() => localStorage.clear());
  await page.goto(stack.host.origin);
  await page.evaluate(() => {
    localStorage.clear();
    (window as unknown as { Deskside: (name: string) => void }).Deskside('logout');
  });
  await expect
    .poll(async () => (await context.cookies()).filter(({ name }) => name.includes('deskside')))
    .toEqual([]);
  await page.reload();
  await last.widget.open();
  await expectNothingOf(last.widget, last);
});

test('a browser whose storage was cleared shows the next customer nothing while their token is late', async ({
  page,
  stack,
}) => {
  const last = await ana(page, stack);
  await frameOf(last.widget).evaluate(() => localStorage.clear());
  await page.evaluate(() => localStorage.clear());
  const tokens = await delayTokens(page);
  await page.goto(signedInPage(stack, newEmail()));
  await last.widget.launcher.click();
  await expect(waiting(last.widget)).toBeVisible();
  await expectNothingOf(last.widget, last);
  await tokens.release();
});

test('a tab of the last customer shows nothing of theirs once the next one has signed in in another tab [identity-19]', async ({
  page,
  context,
  stack,
}) => {
  const last = await ana(page, stack);
  const email = newEmail();
  const other = new Widget(await context.newPage());
  await other.page.goto(signedInPage(stack, email));
  await other.open();
  await expect(other.email).toHaveValue(email);
  await expect(last.widget.app.getByText(last.subject)).toHaveCount(0);
  await expectNothingOf(last.widget, last);
  await expectNothingOf(other, last);
});

test('a page from the back/forward cache shows the last customer’s texts only to them [identity-20]', async ({
  stack,
}) => {
  const browser = await launchKeeping();
  try {
    const page = await (await browser.newContext()).newPage();
    await markWhenKept(page);
    const { subject } = await ana(page, stack);
    const text = 'document.body.innerText';

    await page.goto(`${stack.serviceUrl}/desk`);
    await page.evaluate(() => history.back());
    await expect(page.locator('html[data-kept]')).toBeVisible();
    const back = await page.context().newCDPSession(page);
    await expect.poll(() => inFrame(back, text)).toContain('It is chipped.');

    const next = new Widget(await page.context().newPage());
    await page.goto(`${stack.serviceUrl}/desk`);
    const email = newEmail();
    await next.page.goto(signedInPage(stack, email));
    await next.open();
    await expect(next.email).toHaveValue(email);
    await next.page.close();
    await page.evaluate(() => history.back());
    await expect(page.locator('html[data-kept]')).toBeVisible();
    const again = await page.context().newCDPSession(page);
    const shown = await inFrame(again, text);
    expect(shown).not.toContain(subject);
    expect(shown).not.toContain('It is chipped.');
  } finally {
    await browser.close();
  }
});
