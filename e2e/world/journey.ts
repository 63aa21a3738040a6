import { type BrowserContext, expect as playwrightExpect, type Locator } from '@playwright/test';
import type { Agent } from '../support/agent.ts';
import { Widget } from '../support/pages/widget.ts';

const expect = playwrightExpect.configure({ timeout: 20_000 });

/** In the order of the journey, which is that of the table's columns. */
export const stepNames = ['open', 'draft', 'ticket', 'answer', 'dialog', 'destroy'] as const;
export type StepName = (typeof stepNames)[number];

/** Null: it worked. */
export type Results = Record<StepName, string | null>;

interface Visit {
  context: BrowserContext;
  agent: Agent;
  /** The host's page. */
  url: string;
}

/** Presses where the customer sees the launcher: while a dialog is open, it may be hidden from assistive technology. */
async function press(launcher: Locator): Promise<void> {
  const { x, y, width, height } = (await launcher.boundingBox())!;
  await launcher.page().mouse.click(x + width / 2, y + height / 2);
}

/** What one customer does on a page of the host. Each step is tried, whether or not the one before has worked. */
export async function makeJourney({ context, agent, url }: Visit): Promise<Results> {
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  await page.setViewportSize({ width: 1280, height: 800 });
  const widget = new Widget(page);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    const { url: source } = message.location();
    if (message.type() === 'error' && !source.endsWith('/favicon.ico'))
      faults.push(`${message.text()} ${source}`);
  });
  const subject = `Cup ${crypto.randomUUID().slice(0, 8)}`;
  const dialogField = page.getByLabel('Name', { exact: true });
  const panel = page.locator('deskside-root dialog');
  const launcher = page.locator('deskside-root button[aria-expanded]');

  const expectNoFaults = () => expect(faults, 'errors in the console').toEqual([]);

  const steps: Record<StepName, () => Promise<void>> = {
    async open() {
      await page.goto(url);
      await widget.launcher.waitFor();
      const box = (await widget.launcher.boundingBox())!;
      expect(
        [1280 - box.x - box.width, 800 - box.y - box.height, box.width, box.height].map(Math.round),
        'the place and size of the launcher',
      ).toEqual([20, 20, 52, 52]);
      await widget.open();
      await expect(widget.description).toBeVisible();
      expectNoFaults();
    },
    async draft() {
      await widget.description.fill(subject);
      await page.getByRole('link', { name: 'Second page' }).first().click();
      await page.getByText('The second page').first().waitFor();
      await expect(widget.description).toHaveValue(subject);
      expectNoFaults();
    },
    async ticket() {
      await widget.email.fill(`${subject.replace(' ', '-')}@example.com`);
      await widget.send.click();
      await widget.conversation.getByText('Sent', { exact: true }).waitFor();
      expectNoFaults();
    },
    async answer() {
      await agent.answer(subject, 'It is on its way.');
      await expect(widget.conversation.getByText('It is on its way.')).toBeVisible();
      expectNoFaults();
    },
    async dialog() {
      await page.goto(url);
      await expect(widget.conversation, 'the panel is open after a reload').toBeVisible();
      await press(launcher);
      await expect(panel).toBeHidden();
      const open = page.getByRole('button', { name: 'Open dialog' });
      await open.click();
      await dialogField.waitFor();
      await press(launcher);
      await expect(panel, 'the launcher opens the panel above the dialog').toBeVisible();
      await expect(dialogField, 'the dialog stays when the launcher is pressed').toBeVisible();
      await widget.reply.click();
      await page.keyboard.type('Thank you');
      await expect(widget.reply, 'what is typed lands in the reply').toHaveValue('Thank you');
      await expect(dialogField, 'the dialog stays while the customer writes').toBeVisible();
      await expect(dialogField).toHaveValue('');
      await press(launcher);
      await expect(panel).toBeHidden();
      await expect(dialogField, 'the dialog stays when the panel closes').toBeVisible();
      await dialogField.fill('Ada');
      await page.getByRole('button', { name: 'Close dialog' }).click();
      await dialogField.waitFor({ state: 'hidden' });
      await press(launcher);
      await open.click();
      await dialogField.waitFor();
      await widget.reply.click();
      await page.keyboard.press('End');
      await page.keyboard.type(' again');
      await expect(widget.reply, 'the panel works on under a dialog').toHaveValue('Thank you again');
      await expect(dialogField, 'the dialog stays beside the open panel').toBeVisible();
      await page.getByRole('button', { name: 'Close dialog' }).click();
      await dialogField.waitFor({ state: 'hidden' });
      expectNoFaults();
    },
    async destroy() {
      await page.evaluate(() => window.Deskside!('destroy'));
      const left = await page.evaluate(() => [
        ...Array.from(document.querySelectorAll('deskside-root, iframe'), (each) => each.localName),
        ...('Deskside' in window ? ['window.Deskside'] : []),
      ]);
      expect(left, 'what is left on the page').toEqual([]);
      await page.getByRole('button', { name: 'Open dialog' }).click();
      await dialogField.fill('Ada');
      await page.getByRole('button', { name: 'Close dialog' }).click();
      await dialogField.waitFor({ state: 'hidden' });
      await page.getByRole('link', { name: 'Second page' }).first().click();
      await page.getByText('The second page').first().waitFor();
      expectNoFaults();
    },
  };

  const results = {} as Results;
  for (const name of stepNames) {
    faults.length = 0;
    results[name] = await steps[name]().then(
      () => null,
      (error: Error) => error.message,
    );
  }
  return results;
}
