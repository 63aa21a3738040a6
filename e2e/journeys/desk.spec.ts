import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { accessibilityFaults, expect, newEmail, test } from '../support/fixtures.ts';
import { Desk } from '../support/pages/desk.ts';
import { accessTo, askService } from '../support/service-api.ts';
import { startStack, type Stack } from '../support/stack.ts';

interface Made {
  id: string;
  ticket_number: number;
  subject: string;
}

/** Does by the service's API what a customer's client does. */
function customerAt(stack: Stack) {
  const service = accessTo(stack);
  const post = (path: string, body: object) => askService<Made>(service, path, body);
  return {
    open: (subject: string, more: object = {}) =>
      post('', { subject, description: 'It broke.', customer_email: newEmail(), ...more }),
    reply: (ticket: Made, body: string) => post(`/${ticket.id}/messages`, { body }),
  };
}

const newSubject = (word: string) => `${word} ${crypto.randomUUID().slice(0, 8)}`;

async function signIn(browser: Browser, stack: Stack, options: BrowserContextOptions = {}): Promise<Desk> {
  const context = await browser.newContext(options);
  const desk = new Desk(await context.newPage(), stack);
  await desk.signIn();
  return desk;
}

const answerBox = (page: Page) => page.getByRole('textbox', { name: 'Answer' });
const noteBox = (page: Page) => page.getByRole('textbox', { name: 'Internal note' });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

test.describe('what an agent writes', () => {
  test('survives a status, a note and a reload, and Ctrl+Enter sends it once', async ({ stack, desk }) => {
    const { page } = desk;
    const ticket = await customerAt(stack).open(newSubject('Kept'));
    await desk.openTicket(ticket.subject);
    await answerBox(page).fill('Dear Mira,\n\nwe are');
    await page.getByLabel('Status', { exact: true }).selectOption('pending');
    await press(page, 'Set status');
    await expect(page.getByText('Status changed.')).toBeVisible();
    await expect(answerBox(page)).toHaveValue('Dear Mira,\n\nwe are');
    await desk.note('Ask the kiln');
    await expect(noteBox(page)).toHaveValue('');
    await answerBox(page).fill('Dear Mira,\n\nwe are sorry.');
    await page.reload();
    await expect(answerBox(page)).toHaveValue('Dear Mira,\n\nwe are sorry.');
    await answerBox(page).press('Control+Enter');
    await expect(page.getByText('Answer sent.')).toBeVisible();
    await page.reload();
    await expect(answerBox(page)).toHaveValue('');
    await expect(desk.conversation.getByText('we are sorry.')).toHaveCount(1);
  });

  test('keeps focus and caret when a message arrives', async ({ stack, desk }) => {
    const { page } = desk;
    const customer = customerAt(stack);
    const ticket = await customer.open(newSubject('Arrives'), { description: 'Long.\n'.repeat(60) });
    await desk.openTicket(ticket.subject);
    const box = answerBox(page);
    await box.pressSequentially('One moment');
    await box.press('Home');
    const before = await box.boundingBox();
    await customer.reply(ticket, 'I found the lid\n'.repeat(12));
    await expect(page.getByRole('status').getByText('New message from')).toBeVisible();
    await expect(desk.conversation.getByText('I found the lid')).toBeVisible();
    expect(Math.abs((await box.boundingBox())!.y - before!.y)).toBeLessThan(2);
    await page.keyboard.type('Yes. ');
    await expect(box).toHaveValue('Yes. One moment');
  });

  test('survives other buttons without script, and Enter in a small field does not send it', async ({
    browser,
    stack,
  }) => {
    const desk = await signIn(browser, stack, { javaScriptEnabled: false });
    const { page } = desk;
    const ticket = await customerAt(stack).open(newSubject('Plain'));
    await desk.openTicket(ticket.subject);
    await answerBox(page).fill('Dear Mira');
    await desk.note('Ask the kiln');
    await expect(answerBox(page)).toHaveValue('Dear Mira');
    await page.getByLabel('Company').fill('Harbour Tearoom');
    await page.getByLabel('Company').press('Enter');
    await expect(page.getByText('Company saved.')).toBeVisible();
    await expect(answerBox(page)).toHaveValue('Dear Mira');
    await page.getByLabel('Merge into').fill('999999');
    await page.getByLabel('Merge into').press('Enter');
    await expect(page.getByText('No ticket has this number.')).toBeVisible();
    await expect(answerBox(page)).toHaveValue('Dear Mira');
    await press(page, 'Send and solve');
    await expect(page.getByText('Answer sent and ticket solved.')).toBeVisible();
    await page.context().close();
  });

  test('survives the end of the session, but not a sign-out', async ({ browser, stack }) => {
    const desk = await signIn(browser, stack);
    const { page } = desk;
    const ticket = await customerAt(stack).open(newSubject('Session'));
    await desk.openTicket(ticket.subject);
    await answerBox(page).fill('Half an answer');
    await page.context().clearCookies();
    await expect(page.getByText('You’re signed out.')).toBeVisible();
    await expect(answerBox(page)).toHaveValue('Half an answer');
    await desk.signIn();
    await desk.openTicket(ticket.subject);
    await expect(answerBox(page)).toHaveValue('Half an answer');
    await press(page, 'Sign out');
    await page.getByLabel('Password').waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    await page.context().close();
  });
});

test.describe('the open list', () => {
  test('shows new tickets without a reload, urgent ones first, and counts them in its title', async ({
    stack,
    desk,
  }) => {
    const { page } = desk;
    const customer = customerAt(stack);
    await page.goto(`${stack.serviceUrl}/desk`);
    await page.mouse.move(5, 700);
    const urgent = await customer.open(newSubject('Urgent'), { priority: 'urgent' });
    const later = await customer.open(newSubject('Later'));
    await expect(page.getByRole('link', { name: later.subject })).toBeVisible();
    const order = await page.locator('.tickets a').allTextContents();
    expect(order.indexOf(urgent.subject)).toBeLessThan(order.indexOf(later.subject));
    expect(order.indexOf(urgent.subject)).toBeGreaterThan(-1);
    await expect(page).toHaveTitle(/^\(\d+\) Tickets/);
  });

  test('moves nothing under the pointer or the focus, but shows that there are new tickets', async ({
    stack,
    desk,
  }) => {
    const { page } = desk;
    const customer = customerAt(stack);
    const first = await customer.open(newSubject('First'));
    await page.goto(`${stack.serviceUrl}/desk`);
    const link = page.getByRole('link', { name: first.subject });
    await link.focus();
    const before = await link.boundingBox();
    const second = await customer.open(newSubject('Second'), { priority: 'urgent' });
    await expect(page.getByText('1 ticket is new or changed.')).toBeVisible();
    await expect(link).toBeFocused();
    expect(await link.boundingBox()).toEqual(before);
    await expect(page.getByRole('link', { name: second.subject })).toHaveCount(0);
    await press(page, 'Show');
    await expect(page.getByRole('link', { name: second.subject })).toBeVisible();
  });

  test(
    'says that it is not up to date while the service is down, and recovers',
    { tag: '@slow' },
    async ({ browser }) => {
      const own = await startStack();
      const desk = await signIn(browser, own);
      await own.service.stop();
      await expect(desk.page.getByText('Not up to date')).toBeVisible({ timeout: 40_000 });
      await own.restartService();
      const ticket = await customerAt(own).open(newSubject('Back'));
      await press(desk.page, 'Try now');
      await expect(desk.page.getByRole('link', { name: ticket.subject })).toBeVisible();
      await desk.page.context().close();
      await own.stop();
    },
  );
});

test('an open ticket shows the changes of another agent', async ({ browser, stack, desk }) => {
  const ticket = await customerAt(stack).open(newSubject('Two agents'));
  await desk.openTicket(ticket.subject);
  const other = await signIn(browser, stack);
  await other.openTicket(ticket.subject);
  await other.answer('I have this one.');
  await expect(desk.conversation.getByText('I have this one.')).toBeVisible();
  await expect(desk.page.locator('#head').getByText('open')).toBeVisible();
  await expect(desk.page.getByLabel('Status', { exact: true })).toHaveValue('open');
  await other.page.context().close();
});

test('an agent opens a ticket, inserts a saved answer and takes it back by keyboard', async ({
  stack,
  desk,
}) => {
  const { page } = desk;
  const [subject, name] = [newSubject('Keys'), newSubject('Saved')];
  await customerAt(stack).open(subject);
  await page.goto(`${stack.serviceUrl}/desk/saved-answers`);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Text').fill('Hello {name},\n\nthank you.');
  await press(page, 'Save answer');
  await expect(page.getByText('Answer saved.')).toBeVisible();
  await page.keyboard.press('/');
  await expect(page.getByLabel('Search tickets')).toBeFocused();
  await page.keyboard.type(subject);
  await page.keyboard.press('Enter');
  await page.waitForURL(/[?&]q=/);
  await page.keyboard.press('j');
  await page.keyboard.press('o');
  await expect(page.getByRole('heading', { name: subject })).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const box = answerBox(page);
  await expect(box).toBeFocused();
  await page.keyboard.type('/');
  await expect(page.getByRole('option', { name })).toBeVisible();
  await page.keyboard.type(name);
  // Of an input method, which ends a word in Safari.
  await page.locator('#saved-filter').dispatchEvent('keydown', { key: 'Enter', keyCode: 229 });
  await expect(page.getByRole('option', { name })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(box).toHaveValue('Hello,\n\nthank you.');
  await page.keyboard.press('Control+z');
  await expect(box).toHaveValue('');
  await page.keyboard.type('jrs?');
  await expect(box).toHaveValue('jrs?');
});

test('times are in the agent’s time zone, and in UTC without script', async ({ browser, stack }) => {
  const ticket = await customerAt(stack).open(newSubject('Zones'));
  const format = { dateStyle: 'medium', timeStyle: 'short' } as const;
  for (const [javaScriptEnabled, timeZone] of [
    [true, 'Asia/Kathmandu'],
    [false, 'UTC'],
  ] as const) {
    const desk = await signIn(browser, stack, { javaScriptEnabled, timezoneId: 'Asia/Kathmandu' });
    await desk.openTicket(ticket.subject);
    const time = desk.conversation.locator('time').first();
    const at = new Date((await time.getAttribute('datetime'))!);
    const shown = at.toLocaleString('en-GB', { ...format, timeZone });
    await expect(time).toHaveText(javaScriptEnabled ? shown : `${shown} UTC`);
    await desk.page.context().close();
  }
});

test('merging, revoking and deleting ask first', async ({ stack, desk }) => {
  const { page } = desk;
  const customer = customerAt(stack);
  const [from, into] = [await customer.open(newSubject('From')), await customer.open(newSubject('Into'))];
  await desk.openTicket(from.subject);
  await page.getByRole('textbox', { name: 'Merge into' }).fill(`${into.ticket_number}`);
  await press(page, 'Merge');
  await expect(page.getByText(`#${into.ticket_number} ${into.subject}`)).toBeVisible();
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(page.getByRole('button', { name: 'Send answer' })).toBeVisible();
  await desk.mergeInto(String(into.ticket_number));
  await expect(page.getByRole('button', { name: 'Send answer' })).toHaveCount(0);

  const label = newSubject('Key');
  await page.goto(`${stack.serviceUrl}/desk/keys`);
  await page.getByLabel('Label').fill(label);
  await press(page, 'Create key');
  await press(page, `Revoke ${label}`);
  await expect(page.getByRole('heading', { name: `Revoke the key “${label}”?` })).toBeVisible();
  await press(page, 'Revoke');
  await expect(page.getByText('API key revoked.')).toBeVisible();

  const url = `https://example.com/${crypto.randomUUID()}`;
  await page.goto(`${stack.serviceUrl}/desk/webhooks`);
  await page.getByLabel('Endpoint URL').fill(url);
  await press(page, 'Add endpoint');
  await press(page, `Delete ${url}`);
  await expect(page.getByText(url)).toBeVisible();
  await press(page, 'Delete');
  await expect(page.getByText('Endpoint deleted.')).toBeVisible();
  await expect(page.getByText(url)).toHaveCount(0);
});

for (const [colorScheme, width] of [
  ['light', 1280],
  ['dark', 390],
] as const)
  test(
    `every page is accessible and does not overflow, ${colorScheme}, ${width} wide`,
    { tag: width < 400 ? [] : '@slow' },
    async ({ browser, stack }) => {
      test.slow(true, 'axe reads nine pages');
      const desk = await signIn(browser, stack, { colorScheme, viewport: { width, height: 844 } });
      const { page } = desk;
      const customer = customerAt(stack);
      const long = 'Donaudampfschifffahrtsgesellschaft'.repeat(5);
      const faulty: object[] = [];
      page.on('console', (line) => {
        // The page that does not exist says so here as well.
        if (line.type() === 'error' && !line.text().includes('404')) faulty.push({ console: line.text() });
      });
      const email = newEmail();
      const target = await customer.open(newSubject('Target'), { customer_email: email, priority: 'high' });
      const ticket = await customer.open(`${newSubject('Long')} ${long}`, {
        description: `${long}\n\nhttps://example.com/${long}\n\nDeskside: e-mail not verified · page https://example.com/${long} · ref DS-7F3KQ2M9XW4T`,
        customer_email: email,
        customer_name: long.slice(0, 120),
        priority: 'urgent',
      });
      // What is revoked or paused looks different.
      const label = newSubject('Key');
      await page.goto(`${stack.serviceUrl}/desk/keys`);
      await page.getByLabel('Label').fill(label);
      await press(page, 'Create key');
      await press(page, `Revoke ${label}`);
      await press(page, 'Revoke');
      const url = `https://example.com/${crypto.randomUUID()}`;
      await page.goto(`${stack.serviceUrl}/desk/webhooks`);
      await page.getByLabel('Endpoint URL').fill(url);
      await press(page, 'Add endpoint');
      await press(page, `Pause ${url}`);
      await expect(page.getByText('Endpoint paused.')).toBeVisible();
      const paths = [
        '?status=all',
        '?q=nothing-has-this-word',
        `/tickets/${ticket.id}`,
        `/tickets/${ticket.id}/merge?number=${target.ticket_number}`,
        '/customers',
        '/saved-answers',
        '/keys',
        '/webhooks',
        '/nothing',
      ];
      for (const path of paths) {
        await page.goto(`${stack.serviceUrl}/desk${path}`);
        const faults = await accessibilityFaults(page);
        const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (faults.length > 0 || excess > 0) faulty.push({ path, faults, excess });
      }
      expect(faulty).toEqual([]);
      await page.context().close();
    },
  );
