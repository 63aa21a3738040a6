import { describe, expect, it } from 'vitest';
import { addAnswer, addNote } from '../tickets/add-message.ts';
import { setCompany } from '../tickets/customers.ts';
import { mergeTicket } from '../tickets/merge-ticket.ts';
import { createTestService, type TestService } from '../test-service.ts';

const data = async (response: Response) =>
  ((await response.json()) as { data: Record<string, unknown> }).data;
const idsOf = async (response: Response) =>
  ((await response.json()) as { data: { id: string }[] }).data.map(({ id }) => id);

function agent({ workspace }: TestService, body: string) {
  return { id: crypto.randomUUID(), body, agentId: workspace.agentId };
}

describe('GET /api/v1/tickets', () => {
  it('lists tickets newest first with base fields only, also when the clock was set back', async () => {
    let now = new Date('2026-03-02T00:00:00Z');
    const { call, createTicket } = createTestService({ now: () => now });
    const first = await createTicket();
    now = new Date('2026-03-01T00:00:00Z');
    const second = await createTicket();
    const response = await call('GET', '/tickets');
    expect(await response.json()).toStrictEqual({ data: [second, first] });
  });

  it('returns 20 tickets by default, and 1 to 50 when asked', async () => {
    const { call, createTicket } = createTestService();
    for (let count = 0; count < 51; count += 1) await createTicket();
    const length = async (query: string) => (await idsOf(await call('GET', `/tickets${query}`))).length;
    expect(await length('')).toBe(20);
    expect(await length('?limit=1')).toBe(1);
    expect(await length('?limit=50&status=solved&page=2&cursor=x')).toBe(50);
  });

  it.each(['0', '51', '-1', '1.5', 'ten', '', '1e1', '00000000001'])('refuses limit=%s', async (limit) => {
    const { call } = createTestService();
    expect((await call('GET', `/tickets?limit=${limit}`)).status).toBe(400);
  });

  it('leaves merged tickets out', async () => {
    const { call, db, workspace, createTicket } = createTestService();
    const [merged, target] = [await createTicket(), await createTicket()];
    const by = { agentId: workspace.agentId, now: new Date() };
    expect(mergeTicket(db, workspace.id, merged.id, target.ticket_number, by)).toBeNull();
    expect(await idsOf(await call('GET', '/tickets'))).toStrictEqual([target.id]);
  });
});

describe('GET /api/v1/tickets/{id}', () => {
  it('adds customer and messages, oldest first, and no internal note', async () => {
    const service = createTestService();
    const { call, db, workspace, createTicket } = service;
    const ticket = await createTicket({ customer_name: 'Mira' });
    await call('POST', `/tickets/${ticket.id}/messages`, { body: 'First' });
    addNote(db, workspace.id, ticket.id, agent(service, 'Secret note'), new Date());
    addAnswer(db, workspace.id, ticket.id, agent(service, 'Second'), new Date());
    const response = await call('GET', `/tickets/${ticket.id}`);
    const text = await response.text();
    expect(text).not.toContain('Secret note');
    expect(JSON.parse(text)).toMatchObject({
      data: {
        ...ticket,
        status: 'open',
        updated_at: expect.any(String),
        customer: { name: 'Mira', email: 'mira@example.com', company: null },
        messages: [
          { author_type: 'customer', body: 'First' },
          { author_type: 'agent', body: 'Second' },
        ],
      },
    });
  });

  it('shows nothing of an internal note, not even its time in updated_at', async () => {
    const service = createTestService();
    const { call, db, workspace, createTicket } = service;
    const { id } = await createTicket();
    const before = await (await call('GET', `/tickets/${id}`)).text();
    addNote(db, workspace.id, id, agent(service, 'Note'), new Date(Date.now() + 60_000));
    expect(await (await call('GET', `/tickets/${id}`)).text()).toBe(before);
  });

  it('shows the company once the desk has set it', async () => {
    const { call, db, workspace, createTicket } = createTestService();
    const ticket = await createTicket();
    const { customer_id: customerId } = await data(await call('GET', `/tickets/${ticket.id}`));
    setCompany(db, workspace.id, String(customerId), 'Harbour Tearoom');
    expect(await data(await call('GET', `/tickets/${ticket.id}`))).toMatchObject({
      customer: { company: 'Harbour Tearoom' },
    });
  });

  it.each(['nope', '%00', '1', '00000000-0000-4000-8000-000000000000', "' OR 1=1"])(
    'answers 404 for the id %s',
    async (id) => {
      const { call } = createTestService();
      const response = await call('GET', `/tickets/${encodeURIComponent(id)}`);
      expect(response.status).toBe(404);
      expect(await response.json()).toStrictEqual({ error: 'Ticket not found' });
    },
  );

  it('returns a merged ticket', async () => {
    const { call, db, workspace, createTicket } = createTestService();
    const [merged, target] = [await createTicket(), await createTicket()];
    mergeTicket(db, workspace.id, merged.id, target.ticket_number, {
      agentId: workspace.agentId,
      now: new Date(),
    });
    expect(await data(await call('GET', `/tickets/${merged.id.toUpperCase()}`))).toMatchObject({
      status: 'closed',
    });
  });
});

describe('POST /api/v1/tickets/{id}/messages', () => {
  it('answers 201 with exactly the message and moves updated_at, not the status', async () => {
    let now = new Date('2026-03-01T00:00:00.000Z');
    const { call, db, createTicket } = createTestService({ now: () => now });
    const { id } = await createTicket();
    db.prepare(`UPDATE tickets SET status = 'solved', needs_answer = 0`).run();
    now = new Date('2026-03-01T00:00:01.500Z');
    const response = await call('POST', `/tickets/${id}/messages`, { body: 'Hello', author_type: 'agent' });
    expect(response.status).toBe(201);
    expect(await response.json()).toStrictEqual({
      data: {
        id: expect.any(String),
        author_type: 'customer',
        body: 'Hello',
        created_at: '2026-03-01T00:00:01.500Z',
      },
    });
    expect(await data(await call('GET', `/tickets/${id}`))).toMatchObject({
      status: 'solved',
      updated_at: '2026-03-01T00:00:01.500Z',
    });
  });

  it.each([
    ['x', 201],
    ['🫖'.repeat(20_000), 201],
    ['', 400],
    [`${'🫖'.repeat(20_000)}x`, 400],
    [undefined, 400],
    [null, 400],
    [7, 400],
  ])('accepts 1 to 20,000 code points only', async (body, status) => {
    const { call, createTicket } = createTestService();
    const { id } = await createTicket();
    expect((await call('POST', `/tickets/${id}/messages`, { body })).status).toBe(status);
  });

  it('answers 409 for a merged ticket and 404 for an unknown one', async () => {
    const { call, db, workspace, createTicket } = createTestService();
    const [merged, target] = [await createTicket(), await createTicket()];
    mergeTicket(db, workspace.id, merged.id, target.ticket_number, {
      agentId: workspace.agentId,
      now: new Date(),
    });
    const refused = await call('POST', `/tickets/${merged.id}/messages`, { body: 'x' });
    expect(refused.status).toBe(409);
    expect(await refused.json()).toStrictEqual({ error: expect.stringContaining('merged') });
    expect((await call('POST', '/tickets/nope/messages', { body: 'x' })).status).toBe(404);
  });
});
