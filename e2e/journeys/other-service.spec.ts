import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { serve } from '../../scripts/serve.ts';
import { expect, newEmail, test } from '../support/fixtures.ts';
import { Widget } from '../support/pages/widget.ts';
import { startStack } from '../support/stack.ts';

/** A v1 service that keeps to the document and is odd wherever that is silent. */
async function startOtherService() {
  const tickets = new Map<string, object>();
  const messages: object[] = [];
  const base = '/api/v1/tickets';
  const odd = (data: unknown) => ({ data, took_ms: 3 });
  const now = () => new Date().toISOString();
  const app = new Hono()
    .get(base, (c) => c.json(odd([...tickets.values()])))
    .get(`${base}/:id`, (c) => c.json(odd({ ...tickets.get(c.req.param('id')), customer: null, messages })))
    .post(base, async (c) => {
      const body = await c.req.json();
      const id = crypto.randomUUID();
      const ticket = {
        ...body,
        id,
        status: 'awaiting_third_party',
        priority: 4,
        tags: [],
        created_at: now(),
      };
      tickets.set(id, ticket);
      const again = { id: 'first', author_type: 'customer', body: body.description, created_at: now() };
      messages.push(
        { id: 7, author_type: 'triage-bot', body: 'A human reads this soon.', created_at: null },
        again,
      );
      return c.json(odd(ticket), 201);
    })
    .post(`${base}/:id/messages`, async (c) => {
      const { body } = await c.req.json();
      const message = { id: crypto.randomUUID(), author_type: 'customer', body, created_at: now() };
      messages.unshift(message);
      return c.json(odd(message), 201);
    });
  const listener = getRequestListener(app.fetch);
  return serve((request, response) => void listener(request, response));
}

test('another v1 service works with only its address and key configured', async ({ page }) => {
  const other = await startOtherService();
  const stack = await startStack({ SUPPORT_API_URL: other.url, SUPPORT_API_KEY: 'another-key' });
  try {
    const widget = new Widget(page);
    await page.goto(stack.host.origin);
    await widget.open();
    await widget.openTicket({ email: newEmail(), subject: 'Odd', description: 'Said once.' });
    await expect(widget.conversation.getByText('A human reads this soon.')).toBeVisible();
    await expect(widget.conversation.getByText('Said once.')).toHaveCount(1);
    await widget.answer('A reply.');
    await expect(widget.conversation.getByText('A reply.')).toHaveCount(1);
    await widget.back.click();
    await expect(widget.tickets.getByText('Odd')).toBeVisible();
    await expect(widget.tickets.getByText('Awaiting third party')).toBeVisible();
    await expect(widget.app.getByText(/null|undefined|NaN|Invalid/)).toHaveCount(0);
  } finally {
    await stack.stop();
    await other.stop();
  }
});
