import { describe, expect, it } from 'vitest';
import { createTestService, type TestService } from '../test-service.ts';
import { listEndpoints } from '../webhooks/endpoints.ts';

const origin = 'http://desk.example.com';

/** Gets a desk page as the workspace's agent. */
const page = async ({ app, workspace }: TestService, path: string) =>
  app.request(`/desk${path}`, { headers: { cookie: workspace.cookie } });

/** Sends a desk form as the workspace's agent. */
const post = async (
  { app, workspace }: TestService,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = { origin },
) =>
  app.request(`/desk${path}`, {
    method: 'POST',
    headers: { cookie: workspace.cookie, 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  });

const conversation = async ({ call }: TestService, id: string) => {
  const response = await call('GET', `/tickets/${id}`);
  const { data } = (await response.json()) as {
    data: { status: string; updated_at: string; messages: { author_type: string; body: string }[] };
  };
  return data;
};

it.each(['/', '/tickets/x', '/customers', '/keys', '/webhooks', '/nothing'])(
  'sign-in is asked for before %s',
  async (path) => {
    const { app } = createTestService();
    const response = await app.request(`/desk${path}`, { headers: { cookie: 'deskside_desk=forged' } });
    expect(response.headers.get('location')).toBe('/desk/sign-in');
  },
);

it('a form that is none of the desk’s is refused, not broken by', async () => {
  const service = createTestService();
  for (const type of ['multipart/form-data; boundary=x', 'multipart/form-data', 'text/plain'])
    expect((await post(service, '/keys', { label: 'x' }, { origin, 'content-type': type })).status).toBe(415);
});

describe('forms of other sites', () => {
  it.each<[Record<string, string>]>([
    [{}],
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
    [{ origin, 'sec-fetch-site': 'cross-site' }],
    [{ origin, 'sec-fetch-site': 'same-site' }],
    [{ origin: 'https://evil.example', 'content-type': 'text/plain' }],
  ])('do nothing: %j', async (headers) => {
    const service = createTestService();
    const { id } = await service.createTicket();
    const fields = { id: crypto.randomUUID(), body: 'Forged' };
    const response = await post(service, `/tickets/${id}/answers`, fields, headers);
    expect(response.status).toBe(403);
    expect((await conversation(service, id)).messages).toStrictEqual([]);
  });
});

describe('ticket page', () => {
  it('sends an answer once, however often the form comes, and opens a new ticket', async () => {
    let now = new Date('2026-03-01T00:00:00.000Z');
    const service = createTestService({ now: () => now });
    const { id } = await service.createTicket();
    const form = await (await page(service, `/tickets/${id}`)).text();
    const messageId = /name="id" value="([^"]+)"/.exec(form)![1]!;
    now = new Date('2026-03-01T00:00:05.000Z');
    const fields = { id: messageId, body: ' Good morning,\r\n\r\nit is on its way.\r\n' };
    const [first, again] = [
      await post(service, `/tickets/${id}/answers`, fields),
      await post(service, `/tickets/${id}/answers`, fields),
    ];
    expect([first.status, again.status]).toStrictEqual([303, 303]);
    expect(await conversation(service, id)).toMatchObject({
      status: 'open',
      updated_at: '2026-03-01T00:00:05.000Z',
      messages: [{ author_type: 'agent', body: 'Good morning,\n\nit is on its way.' }],
    });
  });

  it('keeps a text that comes with a form already used for another', async () => {
    const service = createTestService();
    const { id } = await service.createTicket();
    const form = crypto.randomUUID();
    await post(service, `/tickets/${id}/answers`, { id: form, body: 'First' });
    for (const path of ['answers', 'notes']) {
      const response = await post(service, `/tickets/${id}/${path}`, { id: form, body: 'Second, edited' });
      expect(response.status).toBe(400);
      const html = await response.text();
      expect(html).toContain('Second, edited');
      expect(html).not.toContain(`value="${form}"`);
    }
    expect((await conversation(service, id)).messages.map(({ body }) => body)).toEqual(['First']);
  });

  it('keeps an answer that is too long in the form', async () => {
    const service = createTestService();
    const { id } = await service.createTicket();
    const body = 'x'.repeat(20_001);
    const response = await post(service, `/tickets/${id}/answers`, { id: crypto.randomUUID(), body });
    expect(response.status).toBe(400);
    const text = await response.text();
    expect(text).toContain('1 characters too long');
    expect(text).toContain(`>${body}</textarea>`);
  });

  it('shows notes to agents and never to the API', async () => {
    const service = createTestService();
    const { id } = await service.createTicket();
    await post(service, `/tickets/${id}/notes`, { id: crypto.randomUUID(), body: 'Only for us' });
    expect(await (await page(service, `/tickets/${id}`)).text()).toContain('Only for us');
    expect((await conversation(service, id)).messages).toStrictEqual([]);
  });

  it('writes what people typed as text, never as HTML', async () => {
    const service = createTestService();
    const evil = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>`;
    const { id } = await service.createTicket({
      subject: evil,
      description: evil,
      customer_name: evil.slice(0, 50),
    });
    await service.call('POST', `/tickets/${id}/messages`, { body: evil });
    await post(service, `/tickets/${id}/company`, { company: evil });
    await post(service, '/keys', { label: evil });
    for (const path of ['/', `/?q=${encodeURIComponent(evil)}`, `/tickets/${id}`, '/customers', '/keys']) {
      const response = await page(service, path);
      const text = await response.text();
      expect(text).not.toMatch(/<script|<img/);
      expect(text).toContain('&lt;script&gt;');
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    }
  });

  it('sets the status and the company', async () => {
    const service = createTestService();
    const { id } = await service.createTicket();
    expect((await post(service, `/tickets/${id}/status`, { status: 'solved' })).status).toBe(303);
    expect((await post(service, `/tickets/${id}/status`, { status: 'lost' })).status).toBe(400);
    await post(service, `/tickets/${id}/company`, { company: ' Harbour Tearoom ' });
    expect(await conversation(service, id)).toMatchObject({
      status: 'solved',
      customer: { company: 'Harbour Tearoom' },
    });
  });

  it('merges by number, and says why not', async () => {
    const service = createTestService();
    const [first, second] = [await service.createTicket(), await service.createTicket()];
    const merge = (id: string, number: string) => post(service, `/tickets/${id}/merge`, { number });
    for (const number of ['99', 'x', '', '1']) expect((await merge(first.id, number)).status).toBe(400);
    expect((await merge(first.id, '#2')).status).toBe(303);
    expect((await merge(second.id, '1')).status).toBe(400);
    expect(await (await page(service, `/tickets/${first.id}`)).text()).not.toContain('Send answer');
    expect(await (await page(service, `/tickets/${second.id}`)).text()).toContain('Ticket #1 was merged');
  });

  it('is not found for a ticket of another workspace', async () => {
    const service = createTestService();
    const { id } = await service.createTicket();
    const other = { ...service, workspace: service.addWorkspace() };
    expect((await page(other, `/tickets/${id}`)).status).toBe(404);
    const fields = { id: crypto.randomUUID(), body: 'x' };
    expect((await post(other, `/tickets/${id}/answers`, fields)).status).toBe(404);
  });
});

describe('ticket list', () => {
  it.each(['1e300', '1e19', '-1', 'x', '0'])('takes page=%s for the first', async (value) => {
    expect((await page(createTestService(), `/?page=${value}`)).status).toBe(200);
  });

  it('brings a solved ticket back when its customer replies, until an agent has looked', async () => {
    const service = createTestService();
    const { id } = await service.createTicket();
    const isListed = async () => (await (await page(service, '/')).text()).includes(id);
    await page(service, `/tickets/${id}`);
    await post(service, `/tickets/${id}/status`, { status: 'solved' });
    expect(await isListed()).toBe(false);
    await service.call('POST', `/tickets/${id}/messages`, { body: 'Still broken' });
    expect(await isListed()).toBe(true);
    await page(service, `/tickets/${id}`);
    expect(await isListed()).toBe(false);
  });

  it.each(['#1', '1', 'LID', 'mira@', 'slightly', 'ÜBER'])('finds a ticket by %s', async (q) => {
    const service = createTestService();
    const { id } = await service.createTicket();
    await service.call('POST', `/tickets/${id}/messages`, { body: 'Es geht über den Rand' });
    const other = await service.createTicket({
      subject: 'Tea',
      description: 'Tea',
      customer_email: 'lea@example.com',
    });
    const text = await (await page(service, `/?status=all&q=${encodeURIComponent(q)}`)).text();
    expect(text).toContain(id);
    expect(text).not.toContain(other.id);
  });
});

describe('keys and webhooks', () => {
  it('shows a new key once, and it works until revoked', async () => {
    const service = createTestService();
    const created = await (await post(service, '/keys', { label: 'Shop' })).text();
    const key = /dsk_[\w-]{43}/.exec(created)![0];
    const list = await (await page(service, '/keys')).text();
    expect(list).not.toContain(key);
    expect((await service.call('GET', '/tickets', undefined, key)).status).toBe(200);
    const keyId = /keys\/([\w-]+)\/revoke/.exec(list)![1]!;
    await post(service, `/keys/${keyId}/revoke`, {});
    expect((await service.call('GET', '/tickets', undefined, key)).status).toBe(401);
  });

  it('adds an endpoint, shows its secret once, pauses, resumes and deletes it', async () => {
    const service = createTestService();
    const endpoints = () => listEndpoints(service.db, service.workspace.id);
    const fields = { url: 'https://example.com/hook', events: 'ticket.created' };
    const created = await (await post(service, '/webhooks', fields)).text();
    const secret = /whsec_[\w+/=]+/.exec(created)![0];
    expect(await (await page(service, '/webhooks')).text()).not.toContain(secret);
    const [{ id }] = endpoints() as [ReturnType<typeof endpoints>[0]];
    expect(endpoints()).toMatchObject([{ url: fields.url, events: ['ticket.created'], is_active: true }]);
    await post(service, `/webhooks/${id}/pause`, {});
    expect(endpoints()[0]!.is_active).toBe(false);
    await post(service, `/webhooks/${id}/resume`, {});
    expect(endpoints()[0]!.is_active).toBe(true);
    await post(service, `/webhooks/${id}/delete`, {});
    expect(endpoints()).toStrictEqual([]);
  });

  it.each(['', 'nope', 'ftp://example.com', 'javascript:alert(1)', 'https://user:secret@example.com'])(
    'refuses the endpoint address %j',
    async (url) => {
      const service = createTestService();
      const response = await post(service, '/webhooks', { url, events: 'ticket.created' });
      expect(response.status).toBe(400);
      expect(listEndpoints(service.db, service.workspace.id)).toStrictEqual([]);
    },
  );
});
