import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, newEmail, testWith } from '../support/fixtures.ts';
import { Widget } from '../support/pages/widget.ts';

/** Two shops of one host, whose customers the same process serves. */
const test = testWith(({ origin }) => {
  const file = join(mkdtempSync(join(tmpdir(), 'deskside-sites-')), 'sites.yaml');
  writeFileSync(file, `garden:\n  ALLOWED_ORIGINS: ${origin}\n  BRAND_NAME: Garden\n  BRAND_COLOR: 0040a0\n`);
  return { SITES_FILE: file };
});

test('a customer of one site is nobody at another of the same process, and each is answered in its own panel', async ({
  page,
  stack,
  desk,
}) => {
  const widget = new Widget(page);
  const description = 'It is chipped.';
  const subjects = { main: `Cup ${crypto.randomUUID()}`, garden: `Spade ${crypto.randomUUID()}` };

  await page.goto(stack.host.origin);
  await widget.open();
  await widget.openTicket({ email: newEmail(), subject: subjects.main, description });
  const mine = page.waitForResponse((response) => /\/api\/tickets\/[^/?]+/.test(response.url()));
  await page.reload();
  await widget.openConversation(subjects.main);
  const { pathname } = new URL((await mine).url());

  stack.host.bffUrl = `${stack.bffUrl}/sites/garden`;
  await page.goto(stack.host.origin);
  await widget.open();
  await expect(widget.email).toHaveValue('');
  const elsewhere = await page.request.get(`${stack.host.bffUrl}${pathname}`, {
    headers: { 'X-Deskside': '1', Origin: stack.bffUrl },
  });
  expect(elsewhere.status()).toBe(401);
  await widget.openTicket({ email: newEmail(), subject: subjects.garden, description });
  await desk.openTicket(subjects.garden);
  await desk.answer('We send a new spade.');
  await expect(widget.conversation.getByText('We send a new spade.')).toBeVisible();

  await page.goto(`${stack.host.bffUrl}/`);
  const full = new Widget(page, true);
  await expect(page.getByRole('main', { name: 'Garden' })).toBeVisible();
  await expect(full.tickets.getByRole('listitem')).toHaveCount(1);

  stack.host.bffUrl = stack.bffUrl;
  await page.goto(stack.host.origin);
  await widget.open();
  await expect(widget.tickets.getByText(subjects.main)).toBeVisible();
  await expect(widget.tickets.getByText(subjects.garden)).toHaveCount(0);

  const metrics = await (await fetch(`${stack.adminUrl}/metrics`)).text();
  expect(metrics).toMatch(/deskside_http_requests_total\{[^}]*code="201"\} 1\n/);
  expect(metrics).toMatch(/deskside_http_requests_total\{[^}]*code="201",site="garden"\} 1\n/);
});
