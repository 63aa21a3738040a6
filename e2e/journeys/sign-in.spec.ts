import type { Browser, Page, Route } from '@playwright/test';
import { openElsewhere } from '../support/at-service.ts';
import { accessibilityFaults, expect, newEmail } from '../support/fixtures.ts';
import { testWithMail } from '../support/mailing.ts';
import { identitySecret } from '../../scripts/identity-token.ts';
import { Widget } from '../support/pages/widget.ts';
import type { Stack } from '../support/stack.ts';

const test = testWithMail({ IDENTITY_SECRET: identitySecret });

const newSubject = () => `Cup ${crypto.randomUUID().slice(0, 8)}`;

/** The widget in a browser of its own. */
async function device(browser: Browser, url: string): Promise<Widget> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(url);
  return new Widget(page);
}
const signedInPage = (stack: Stack, email: string) =>
  `${stack.host.origin}/signed-in?email=${encodeURIComponent(email)}`;

test('a plain token signs the customer in on two panels and the launcher of one page, and nobody out', async ({
  page,
  stack,
}) => {
  const email = newEmail();
  const token = await page.request.get(`${stack.host.origin}/token?email=${encodeURIComponent(email)}`);
  const ends: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'DELETE') ends.push(request.url());
  });
  await page.goto(`${stack.host.origin}/late`);
  await page.evaluate(
    (given) => {
      document.body.append(
        document.createElement('deskside-widget'),
        document.createElement('deskside-widget'),
      );
      Object.assign(window, { Deskside: Object.assign(() => {}, { q: [['identify', given]] }) });
    },
    await token.text(),
  );
  await page.addScriptTag({ url: `${stack.bffUrl}/widget.js` });
  await page.getByRole('button', { name: 'Open support' }).click();
  const frames = page.locator('iframe[title="Support"]');
  await expect(frames).toHaveCount(3);
  for (const index of [0, 1, 2])
    await expect(frames.nth(index).contentFrame().getByLabel('Email')).toHaveValue(email);
  expect(ends).toEqual([]);
});

test('a signed-in customer finds the ticket that they opened by mail, replies, and nobody else sees it', async ({
  browser,
  stack,
  desk,
}) => {
  const email = newEmail();
  const subject = newSubject();
  await openElsewhere(stack, { customer_email: email, subject, description: 'Sent by mail.' });
  const owner = await device(browser, signedInPage(stack, email));
  await owner.open();
  await owner.tickets.getByText(subject).click();
  await expect(owner.conversation.getByText('Sent by mail.')).toBeVisible();
  await owner.answer('And from the site.');
  await desk.openTicket(subject);
  await expect(desk.page.getByText('And from the site.')).toBeVisible();

  const stranger = await device(browser, stack.host.origin);
  await stranger.open();
  await stranger.openTicket({ email, subject: newSubject(), description: 'Only typed.' });
  await stranger.back.click();
  await expect(stranger.tickets.getByRole('listitem')).toHaveCount(1);
});

/** What a script of the host page can do with an account of its own, whose `token` it has fetched. */
const identify = (page: Page, token: string) =>
  page.evaluate((given) => {
    const { Deskside } = window as unknown as { Deskside: (name: string, token: string) => void };
    Deskside('identify', given);
  }, token);
const tokenOf = async (page: Page, email: string): Promise<string> =>
  (await page.request.get(new URL(`/token?email=${encodeURIComponent(email)}`, page.url()).href)).text();

type Send = (page: Page, widget: Widget) => Promise<() => Promise<void>>;
/** How far the visitor's ticket has come when the script calls `identify`; what each answers comes after the call. */
const waysOn: [string, Send][] = [
  [
    'arrived',
    async (_page, widget) => {
      await widget.send.click();
      await widget.conversation.getByText('Sent', { exact: true }).waitFor();
      return async () => {};
    },
  ],
  [
    'in flight',
    async (page, widget) => {
      const paused: Route[] = [];
      await page.route('**/api/tickets', (route) =>
        route.request().method() === 'POST' ? void paused.push(route) : route.continue(),
      );
      await widget.send.click();
      await expect.poll(() => paused.length).toBe(1);
      return async () => {
        await paused[0]!.abort();
        await page.unroute('**/api/tickets');
      };
    },
  ],
  [
    'offline',
    async (page, widget) => {
      await page.context().setOffline(true);
      await widget.send.click();
      await widget.conversation.getByText('Waiting to be delivered').waitFor();
      return () => page.context().setOffline(false);
    },
  ],
];

for (const [state, sendTicket] of waysOn)
  test(
    `a script of the page gets the conversation into its own account only by a press in the frame: the ticket is ${state} [identity-27]`,
    {
      tag: state === waysOn[0]![0] ? [] : '@slow',
    },
    async ({ browser, page, stack, widget }) => {
      const subject = newSubject();
      const attacker = newEmail();
      const question = widget.app.getByRole('heading', { name: 'Add this conversation to your account?' });
      await page.goto(stack.host.origin);
      const token = await tokenOf(page, attacker);
      await widget.open();
      await widget.write({ email: newEmail(), subject, description: 'It is chipped.' });
      const goOn = await sendTicket(page, widget);
      await expect(widget.conversation.getByText('It is chipped.')).toBeVisible();
      await identify(page, token);
      await goOn();
      await expect(question).toBeVisible();
      await expect(widget.app.getByText(`You’re signed in as ${attacker}.`)).toBeVisible();
      await expect(widget.app.getByText('It is chipped.')).toHaveCount(0);
      expect(await accessibilityFaults(page)).toEqual([]);

      const elsewhere = await device(browser, signedInPage(stack, attacker));
      await elsewhere.open();
      await expect(elsewhere.email).toHaveValue(attacker);
      await expect(elsewhere.app.getByText(subject)).toHaveCount(0);
      await expect(elsewhere.app.getByText(/to your account\?/)).toHaveCount(0);

      await page.goto(signedInPage(stack, attacker));
      await widget.open();
      await expect(question).toBeVisible();
      await expect(widget.app.getByText(subject)).toHaveCount(0);
      await widget.app.getByRole('button', { name: 'Add', exact: true }).click();
      await expect(widget.tickets.getByText(subject)).toBeVisible();
      await expect(question).toHaveCount(0);
      await expect(async () => {
        await elsewhere.page.reload();
        await elsewhere.open();
        await expect(elsewhere.tickets.getByText(subject)).toHaveCount(1, { timeout: 1_000 });
      }).toPass();
    },
  );

test('signing out on the site removes everything in this browser, in every tab [identity-37]', async ({
  context,
  page,
  stack,
  widget,
}) => {
  const email = newEmail();
  const subject = newSubject();
  await page.goto(signedInPage(stack, email));
  await widget.open();
  await widget.app.getByLabel('Subject').fill(subject);
  await widget.description.fill('It is chipped.');
  await widget.send.click();
  await expect(widget.conversation.getByText('Sent', { exact: true })).toBeVisible();
  await widget.reply.fill('A draft that nobody else may see');

  const other = await context.newPage();
  await other.goto(signedInPage(stack, email));
  const otherWidget = new Widget(other);
  await otherWidget.open();
  await expect(otherWidget.tickets.getByText(subject)).toBeVisible();

  await page.evaluate(() => (window as unknown as { Deskside: (name: string) => void }).Deskside('logout'));
  for (const each of [widget, otherWidget]) {
    await expect(each.app.getByText(subject)).toHaveCount(0);
    await expect(each.app.getByText('A draft that nobody else may see')).toHaveCount(0);
  }
  // The screen may be empty, by the end of the stream, before the sign-out itself has been answered.
  const cookies = async () =>
    (await context.cookies()).map(({ name }) => name).filter((name) => name.includes('deskside'));
  await expect.poll(cookies).toEqual([]);
  const frame = page.frames().find((each) => each.parentFrame() !== null)!;
  const kept = () =>
    frame.evaluate(() => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]));
  await expect.poll(kept).not.toMatch(new RegExp(`${subject}|draft|${email}`));
  await page.goto(stack.host.origin);
  await widget.open();
  await expect(widget.email).toHaveValue('');
});

test('a code by e-mail finds earlier tickets, and takes them from the other browser on request [isolation-13]', async ({
  browser,
  stack,
  mail,
}) => {
  const email = newEmail();
  const subject = newSubject();
  const old = await device(browser, stack.host.origin);
  await old.open();
  await old.openTicket({ email, subject, description: 'It is chipped.' });

  const fresh = await device(browser, stack.host.origin);
  await fresh.open();
  await fresh.choose('Find my earlier tickets');
  await fresh.email.fill(email);
  await fresh.app.getByRole('button', { name: 'Send me a code' }).click();
  const code = fresh.app.getByLabel('Code', { exact: true });
  await code.fill('000000');
  await expect(fresh.app.getByText('This code is wrong or has expired')).toBeVisible();
  expect(await accessibilityFaults(fresh.page)).toEqual([]);
  await code.fill(mail.codeFor(email));
  await expect(fresh.app.getByText(/1 conversation was started with your email/)).toBeVisible();
  expect(await accessibilityFaults(fresh.page)).toEqual([]);
  await fresh.tickets.getByRole('button', { name: 'Open here' }).click();
  await expect(fresh.conversation.getByText('It is chipped.')).toBeVisible();
  await fresh.back.click();
  await expect(fresh.tickets.getByText(subject)).toBeVisible();

  const notice = old.app.getByText('You opened this on another device. Get a code to see it here too.');
  await expect(notice).toBeVisible();
  await expect(old.app.getByText('It is chipped.')).toHaveCount(0);
  await expect(old.email).toBeVisible();
  expect(await accessibilityFaults(old.page)).toEqual([]);
  await old.page.reload();
  await old.open();
  await expect(notice).toBeVisible();
  await expect(old.app.getByText(subject)).toHaveCount(0);
  expect(await accessibilityFaults(old.page)).toEqual([]);

  await old.app.getByRole('button', { name: 'Send me a code' }).click();
  await old.email.fill(email);
  await old.app.getByRole('button', { name: 'Send me a code' }).click();
  const oldCode = old.app.getByLabel('Code', { exact: true });
  await oldCode.waitFor();
  await oldCode.fill(mail.codeFor(email));
  await expect(old.app.getByRole('list', { name: 'Tickets found: 1' }).getByText(subject)).toBeVisible();
  await expect(notice).toHaveCount(0);
});

test('another device gets the tickets by a link, once this one confirms [identity-55]', async ({
  browser,
  stack,
}) => {
  const subject = newSubject();
  const phone = await device(browser, stack.host.origin);
  await phone.open();
  await phone.openTicket({ email: newEmail(), subject, description: 'It is chipped.' });
  await phone.back.click();
  expect(await accessibilityFaults(phone.page)).toEqual([]);
  await phone.choose('Continue on another device');
  const link = await phone.app.getByLabel('Link').inputValue();
  await expect(phone.app.locator('svg.qr')).toBeVisible();
  expect(await accessibilityFaults(phone.page)).toEqual([]);

  const page = await (await browser.newContext()).newPage();
  await page.goto(link);
  expect(page.url()).not.toContain('handoff');
  const laptop = new Widget(page, true);
  await page.getByRole('button', { name: 'Open my tickets' }).click();
  const shown = page.getByText(/This device shows \d\d/);
  await expect(shown).toBeVisible();
  const [number] = /\d\d/.exec((await shown.textContent())!)!;
  await expect(phone.app.getByText(`Does it show ${number}?`)).toBeVisible();
  await expect(laptop.tickets).toHaveCount(0);
  await phone.app.getByRole('button', { name: 'Yes, open my tickets there' }).click();
  await expect(laptop.tickets.getByText(subject)).toBeVisible();

  const late = await (await browser.newContext()).newPage();
  await late.goto(link);
  await late.getByRole('button', { name: 'Open my tickets' }).click();
  await expect(late.getByText('This link no longer works.')).toBeVisible();
});
