import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { freePort } from '../../scripts/processes.ts';
import { newEmail } from '../support/fixtures.ts';
import { Desk } from '../support/pages/desk.ts';
import { Widget } from '../support/pages/widget.ts';

/** `npm start` as a site owner runs it, on ports and data of its own. */
async function startDemo(env: Record<string, string>) {
  const demo = spawn(process.execPath, ['--import', 'tsx', 'demo/start.ts'], {
    env: { ...process.env, ...env },
  });
  let output = '';
  for (const stream of [demo.stdout, demo.stderr]) stream.on('data', (text) => (output += String(text)));
  await expect.poll(() => output, { timeout: 60_000 }).toMatch(/Ctrl-C|Stopped/);
  return { demo, output };
}

const end = (demo: ChildProcess, signal?: NodeJS.Signals) =>
  new Promise<number | null>((resolve) => {
    demo.once('exit', resolve);
    if (demo.exitCode !== null) resolve(demo.exitCode);
    else if (signal) demo.kill(signal);
  });

/** By the words that the launcher has on the shop's first page. */
async function open(widget: Widget): Promise<void> {
  await widget.page.getByRole('button', { name: 'Questions?' }).click();
  await widget.app.getByRole('heading', { name: 'How can we help?' }).waitFor();
}

/** How far the page scrolls sideways, in CSS pixels, from left to right and from right to left. */
const sideways = (page: Page) =>
  page.evaluate(() =>
    ['ltr', 'rtl'].map((direction) => {
      const root = document.documentElement;
      root.dir = direction;
      return root.scrollWidth - root.clientWidth;
    }),
  );

test('one command starts shop, support and desk; a second start keeps the data; Ctrl-C ends all', async ({
  page,
  browser,
}) => {
  // Four processes start, one after the other, three times.
  test.slow();
  const dir = await mkdtemp(join(tmpdir(), 'deskside-demo-'));
  const names = ['SHOP_PORT', 'BFF_PORT', 'BFF_ADMIN_PORT', 'SERVICE_PORT'];
  const ports = await Promise.all(names.map(async (name) => [name, String(await freePort())] as const));
  const env: Record<string, string> = { DEMO_DATA_DIR: dir, ...Object.fromEntries(ports) };
  const shop = `http://localhost:${env['SHOP_PORT']}`;
  const serviceUrl = `http://localhost:${env['SERVICE_PORT']}`;

  const first = await startDemo(env);
  const [, agent, password] = /sign in with\s+(\S+) \/ (\S+)/.exec(first.output)!;
  const workspace = { workspace_id: '', api_key: '', agent: { email: agent!, password: password! } };
  expect((await fetch(/\S+\/playground/.exec(first.output)![0])).status).toBe(200);
  const widget = new Widget(page);
  for (const path of ['/product.html', '/orders.html', '/']) {
    await page.goto(shop + path);
    expect([path, await sideways(page)]).toEqual([path, [0, 0]]);
  }
  await page.reload();
  await open(widget);
  await widget.app.getByRole('button', { name: 'New ticket' }).click();
  const email = newEmail();
  await widget.openTicket({ email, description: 'A kettle for two\nWhich one?' });

  const taken = await startDemo(env);
  expect(taken.output).toMatch(/port \d+ is in use: choose another with \w+_PORT=/);
  expect(await end(taken.demo)).toBe(1);
  expect(await end(first.demo, 'SIGINT')).toBe(0);

  const second = await startDemo(env);
  expect(second.output).toContain(password);
  const context = await browser.newContext();
  const desk = new Desk(await context.newPage(), { serviceUrl, workspace });
  await desk.signIn();
  await expect(desk.page.getByRole('link', { name: 'One cup arrived broken' })).toBeVisible();
  await desk.openTicket('A kettle for two');
  await page.goto(shop);
  // The panel has stayed open, with its conversation.
  await widget.back.click();
  await expect(widget.tickets.getByText('A kettle for two', { exact: true })).toBeVisible();
  await desk.answer('The blue one.');
  await expect(widget.tickets.getByText('1 new reply')).toBeVisible();
  // By the webhook, not by looking now and then.
  await desk.page.goto(`${serviceUrl}/desk/webhooks`);
  await expect(desk.page.getByText('delivered').first()).toBeVisible();

  const elsewhere = new Widget(await context.newPage());
  const mails = await context.newPage();
  await mails.goto(`${shop}/mails`);
  await elsewhere.page.goto(shop);
  await open(elsewhere);
  await elsewhere.choose('Find my earlier tickets');
  await elsewhere.email.fill(email);
  await elsewhere.app.getByRole('button', { name: 'Send me a code' }).click();
  // The page of the mails shows a new one by itself.
  const code = mails.frameLocator('iframe').getByText(/^\s*\d{6}\s*$/);
  await elsewhere.app.getByLabel('Code', { exact: true }).fill((await code.textContent())!.trim());
  await elsewhere.app.getByRole('button', { name: 'Open here' }).click();
  await expect(elsewhere.app.getByText('The blue one.', { exact: true })).toBeVisible();
  // A mail is answered, and the answer is at the desk.
  await widget.app.getByRole('button', { name: 'New ticket' }).click();
  await widget.openTicket({ email, description: 'A lid' });
  await mails.getByLabel('Answer as the customer').fill('The green one, please.');
  await mails.getByRole('button', { name: 'Send the answer' }).click();
  await desk.page.goto(`${serviceUrl}/desk`);
  await desk.openTicket('A lid');
  await expect(desk.conversation.getByText('The green one, please.')).toBeVisible();
  await context.close();
  expect(await end(second.demo, 'SIGINT')).toBe(0);
  await rm(dir, { recursive: true });
});
