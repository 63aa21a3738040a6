import { describe, expect, it } from 'vitest';
import { createTestService, validTicket } from '../test-service.ts';

const emoji = '🫖';
const longEmail = (length: number) => {
  const domain = `${'d'.repeat(63)}.${'e'.repeat(63)}.${'f'.repeat(length - 64 - 1 - 63 - 63 - 2)}`;
  return `${'a'.repeat(64)}@${domain}`;
};

describe('POST /api/v1/tickets', () => {
  it('answers 201 with exactly the base fields, defaults included', async () => {
    const { call } = createTestService({ now: () => new Date('2026-03-01T10:00:00.007Z') });
    const response = await call('POST', '/tickets', validTicket);
    expect(response.status).toBe(201);
    const uuid = expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(await response.json()).toStrictEqual({
      data: {
        id: uuid,
        ticket_number: 1,
        subject: validTicket.subject,
        description: validTicket.description,
        status: 'new',
        priority: 'medium',
        source: 'api',
        created_at: '2026-03-01T10:00:00.007Z',
        updated_at: '2026-03-01T10:00:00.007Z',
        customer_id: uuid,
      },
    });
  });

  it.each([
    ['subject', 'x'],
    ['subject', emoji.repeat(300)],
    ['description', 'x'],
    ['description', emoji.repeat(20_000)],
    ['customer_email', 'a@b'],
    ['customer_email', longEmail(255)],
    ['customer_email', 'jörg@köln.example'],
    ['customer_name', 'x'],
    ['customer_name', emoji.repeat(120)],
    ['customer_name', null],
    ['priority', 'urgent'],
    ['priority', null],
  ])('accepts %s at its limit', async (field, value) => {
    const { call } = createTestService();
    const response = await call('POST', '/tickets', { ...validTicket, [field]: value });
    expect(response.status).toBe(201);
  });

  it('returns long texts unchanged', async () => {
    const { call } = createTestService();
    const texts = { subject: emoji.repeat(300), description: ` \n${emoji.repeat(19_997)}\n` };
    const response = await call('POST', '/tickets', { ...validTicket, ...texts });
    expect(await response.json()).toMatchObject({ data: texts });
  });

  it.each([
    ['subject', ''],
    ['subject', emoji.repeat(301)],
    ['subject', undefined],
    ['subject', null],
    ['subject', 5],
    ['description', ''],
    ['description', `${emoji.repeat(20_000)}x`],
    ['description', undefined],
    ['customer_email', ''],
    ['customer_email', longEmail(256)],
    ['customer_email', 'mira'],
    ['customer_email', 'mira@'],
    ['customer_email', 'mira@@example.com'],
    ['customer_email', 'mira@example..com'],
    ['customer_email', 'mi ra@example.com'],
    ['customer_email', undefined],
    ['customer_name', ''],
    ['customer_name', `${emoji.repeat(120)}x`],
    ['priority', 'asap'],
    ['priority', ''],
  ])('refuses %s beyond its limit, and names the field', async (field, value) => {
    const { call, db } = createTestService();
    const response = await call('POST', '/tickets', { ...validTicket, [field]: value });
    expect(response.status).toBe(400);
    expect(await response.json()).toStrictEqual({
      error: 'Invalid request',
      fields: { [field]: expect.any(String) },
    });
    expect(db.prepare('SELECT count(*) FROM customers').pluck().get()).toBe(0);
  });

  it('counts a family emoji as its five code points', async () => {
    const { call } = createTestService();
    const response = await call('POST', '/tickets', { ...validTicket, subject: '👨‍👩‍👧'.repeat(61) });
    expect(response.status).toBe(400);
  });

  it('finds the customer by email in any letter case, and keeps the name of the first ticket', async () => {
    const { call, createTicket } = createTestService();
    await createTicket({ customer_name: 'Mira' });
    const again = await createTicket({ customer_email: 'MIRA@Example.com', customer_name: 'Not Mira' });
    const response = await call('GET', `/tickets/${again.id}`);
    expect(await response.json()).toMatchObject({
      data: { customer: { name: 'Mira', email: 'mira@example.com', company: null } },
    });
  });

  it('keeps customers and ticket numbers of workspaces apart', async () => {
    const { call, createTicket, addWorkspace } = createTestService();
    const own = await createTicket();
    const response = await call('POST', '/tickets', validTicket, addWorkspace().key);
    const { data } = (await response.json()) as { data: { ticket_number: number; customer_id: string } };
    expect(data.ticket_number).toBe(own.ticket_number);
    expect(data.customer_id).not.toBe((own as { customer_id?: string }).customer_id);
  });

  it('ignores unknown fields, status and source too', async () => {
    const { call } = createTestService();
    const response = await call('POST', '/tickets', {
      ...validTicket,
      status: 'solved',
      source: 'web',
      x: 1,
    });
    expect(await response.json()).toMatchObject({ data: { status: 'new', source: 'api' } });
  });

  it('returns what it stored: a lone surrogate becomes U+FFFD', async () => {
    const { call } = createTestService();
    const response = await call('POST', '/tickets', { ...validTicket, subject: 'a\uD800b\u0000c' });
    const { data } = (await response.json()) as { data: { id: string; subject: string } };
    expect(data.subject).toMatch(/^a\uFFFD+b.c$/);
    expect(data.subject).toContain('\u0000');
    const read = await call('GET', `/tickets/${data.id}`);
    expect(await read.json()).toMatchObject({ data: { subject: data.subject } });
  });
});

describe('request bodies', () => {
  const send = (body: string | Uint8Array<ArrayBuffer>, contentType = 'application/json') => {
    const { app, workspace } = createTestService();
    const headers = { authorization: `Bearer ${workspace.key}`, 'content-type': contentType };
    return app.request('/api/v1/tickets', { method: 'POST', headers, body });
  };

  it.each(['', '{', '{"subject":"x",}', 'undefined'])('refuses broken JSON: %j', async (body) => {
    const response = await send(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toStrictEqual({ error: 'The body is not valid JSON' });
  });

  it.each(['null', '[]', '"x"', '7'])('refuses JSON that is no object: %s', async (body) => {
    const response = await send(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toStrictEqual({ error: 'The body must be a JSON object' });
  });

  it('refuses bytes that are not UTF-8', async () => {
    const bytes = new TextEncoder().encode(JSON.stringify(validTicket));
    bytes[bytes.indexOf(0x54)] = 0xff;
    expect((await send(bytes)).status).toBe(400);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp'])(
    'refuses the content type %s',
    async (contentType) => {
      expect((await send(JSON.stringify(validTicket), contentType)).status).toBe(415);
    },
  );

  it('takes the longest valid ticket with every character escaped', async () => {
    const escaped = (count: number) => String.raw`\ud83e\uded6`.repeat(count);
    const body = `{"subject":"${escaped(300)}","description":"${escaped(20_000)}","customer_email":"a@b"}`;
    expect((await send(body, 'application/json; charset=utf-8')).status).toBe(201);
  });

  it('refuses more than 512 kB', async () => {
    const response = await send(JSON.stringify({ ...validTicket, description: 'x'.repeat(600_000) }));
    expect(response.status).toBe(413);
    expect(await response.json()).toStrictEqual({ error: expect.stringContaining('larger') });
  });
});
