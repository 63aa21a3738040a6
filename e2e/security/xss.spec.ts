import { getRequestListener } from '@hono/node-server';
import type { Page } from '@playwright/test';
import { Hono } from 'hono';
import { identitySecret, identityToken } from '../../scripts/identity-token.ts';
import { serve } from '../../scripts/serve.ts';
import { expect, test } from '../support/fixtures.ts';
import { Widget } from '../support/pages/widget.ts';
import { falseLinks, payloads } from '../support/payloads.ts';
import { type Stack, startStack } from '../support/stack.ts';

/** A v1 service whose every ticket has all payloads as messages, of the customer and of an agent. */
async function startPoisonedService() {
  const tickets = new Map<string, object>();
  const base = '/api/v1/tickets';
  const at = (minute: number) => new Date(Date.now() - 3_600_000 + minute * 1_000).toISOString();
  const messages = payloads.flatMap((body, index) =>
    ['agent', 'customer'].map((author_type) => ({
      id: `${author_type}-${index}`,
      author_type,
      body,
      created_at: at(index),
    })),
  );
  const app = new Hono()
    .get(base, (c) => c.json({ data: [...tickets.values()] }))
    .get(`${base}/:id`, (c) => c.json({ data: { ...tickets.get(c.req.param('id')), messages } }))
    .post(base, async (c) => {
      const id = crypto.randomUUID();
      const created_at = new Date().toISOString();
      const ticket = { ...(await c.req.json()), id, status: '<img src=x onerror=alert(1)>', created_at };
      tickets.set(id, ticket);
      return c.json({ data: ticket }, 201);
    });
  const listener = getRequestListener(app.fetch);
  return serve((request, response) => void listener(request, response));
}

/** Everything that would show that a text was interpreted as more than text. */
async function watch(page: Page) {
  const faults: string[] = [];
  page.on('dialog', async (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted Type|Refused to/i.test(message.text())) faults.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith('http://localhost:')) faults.push(`request: ${request.url()}`);
  });
  page.on('popup', (popup) => faults.push(`popup: ${popup.url()}`));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      throw new Error(`Content Security Policy: ${violatedDirective} ${blockedURI}`);
    });
  });
  return faults;
}

/** Hundreds of tickets, on a machine that may be busy. */
test.describe.configure({ timeout: 120_000 });

let poisoned: Awaited<ReturnType<typeof startPoisonedService>>;
let stack: Stack;
test.beforeAll(async () => {
  poisoned = await startPoisonedService();
  stack = await startStack({
    SUPPORT_API_URL: poisoned.url,
    SUPPORT_API_KEY: 'another-key',
    IDENTITY_SECRET: identitySecret,
    // Each ticket comes from a place of its own, or the limit on requests would end it.
    TRUST_PROXY: '1',
    LOG_LEVEL: 'warn',
  });
});
test.afterAll(async () => {
  await stack.stop();
  await poisoned.stop();
});

/** Signs in, so that messages which came another way are shown, and sends tickets as the app would. */
async function send(page: Page, tickets: { subject: string; description: string; customer_name: string }[]) {
  const token = await identityToken('ada@example.com', stack.bffUrl);
  return page.evaluate(
    async (given) => {
      const post = (path: string, body: object, place: number) =>
        fetch(path, {
          method: 'POST',
          headers: {
            'X-Deskside': '1',
            'Content-Type': 'application/json',
            'Idempotency-Key': crypto.randomUUID(),
            'X-Forwarded-For': `10.0.${place >> 8}.${place & 255}`,
          },
          body: JSON.stringify(body),
        });
      const statuses = [(await post('/api/session/identity', { token: given.token }, 0)).status];
      for (const [place, ticket] of given.tickets.entries()) {
        const body = { customer_email: 'ada@example.com', ...ticket };
        statuses.push((await post('/api/tickets', body, place)).status);
      }
      return statuses;
    },
    { token, tickets },
  );
}

const asLine = (text: string, max: number) =>
  text
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ')
    .slice(0, max)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trim() || 'x';

/** Several in each ticket, since every ticket takes both servers and the list their time. */
function ticketsOf(texts: readonly string[]) {
  const packs: string[][] = [];
  for (const text of texts.map((each) => asLine(each, 300))) {
    const pack = packs.at(-1);
    if (pack && [...pack, text].join(' · ').length <= 300) pack.push(text);
    else packs.push([text]);
  }
  return packs.map((pack) => ({
    subject: pack.join(' · '),
    description: pack.join('\n'),
    customer_name: asLine(pack.join(' '), 120),
  }));
}

test('a payload in a subject, a text or a name is shown as text [browser-6]', async ({ page }) => {
  expect(payloads.length).toBeGreaterThan(500);
  const faults = await watch(page);
  await page.goto(stack.bffUrl);
  const tickets = ticketsOf(payloads);
  const statuses = await send(page, tickets);
  expect(statuses.filter((status) => status > 202)).toEqual([]);
  await page.reload();
  const widget = new Widget(page, true);
  await expect(widget.tickets.getByRole('listitem')).toHaveCount(tickets.length, { timeout: 20_000 });
  const shown = (await widget.tickets.textContent())!;
  const missing = tickets.filter(({ subject }) => !shown.includes(subject.normalize('NFC')));
  expect(missing).toEqual([]);
  await expect(widget.tickets.locator('a, img, script, iframe, object, svg image, form')).toHaveCount(0);
  expect(faults).toEqual([]);
});

test("a payload in an agent's or a customer's message is shown as text, and unsafe links are not links [browser-7]", async ({
  page,
}) => {
  const faults = await watch(page);
  await page.goto(stack.bffUrl);
  await send(page, [
    { subject: 'All of it', description: 'See https://example.com/a?b=c', customer_name: '<b>' },
  ]);
  await page.reload();
  const widget = new Widget(page, true);
  await widget.tickets.getByText('All of it').click();
  const last = payloads.at(-1)!;
  await expect(widget.conversation.getByText(last.trim()).last()).toBeVisible({ timeout: 20_000 });
  await widget.conversation.press('Home');
  await expect(widget.conversation.getByText('See https://example.com/a?b=c')).toBeInViewport({
    timeout: 20_000,
  });
  const { texts, tags, links } = await widget.conversation.evaluate((log) => ({
    texts: [...log.querySelectorAll('.text')].map((node) => {
      const asWritten = node.cloneNode(true) as Element;
      for (const code of asWritten.querySelectorAll('code')) code.replaceWith(`\`${code.textContent}\``);
      return asWritten.textContent;
    }),
    tags: [...new Set([...log.querySelectorAll('*')].map((node) => node.localName))],
    links: [...log.querySelectorAll('a')].map((link) => ({
      href: link.href,
      text: link.textContent,
      rel: link.rel,
    })),
  }));
  const canonical = (text: string) =>
    text
      .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
      .replace(/[^\P{Cc}\t\n]/gu, '')
      .normalize('NFC')
      .trim();
  const held = new Set(texts.map((text) => canonical(text)));
  expect(payloads.filter((text) => !held.has(canonical(text)))).toEqual([]);
  expect(
    tags.filter((tag) =>
      /^(script|img|iframe|object|embed|form|input|base|link|meta|math|style|video|audio)$/.test(tag),
    ),
  ).toEqual([]);
  for (const { href, text, rel } of links) {
    expect(href).toMatch(/^(https?:\/\/|mailto:)/i);
    expect(new URL(href).username).toBe('');
    expect(rel).toBe('noopener noreferrer nofollow');
    expect(falseLinks).not.toContain(text);
  }
  expect(links.map(({ href }) => href)).toContain('https://example.com/a?b=c');
  expect(faults).toEqual([]);
});
