import { describe, expect, it } from 'vitest';
import { createTestService, type TestService } from '../test-service.ts';
import { conversation, origin, page, pageText, post } from './test-desk.ts';

const png = Buffer.from('\x89PNG\r\n\x1a\n and what follows', 'latin1');
const link = (name: string) => `https://support.example.com/f/AAAAAAAAAAAAAAAAAAAAAA/${name}`;
const photo = `File: photo.jpg, 1.2 MB, 1280 × 960, ${link('photo.jpg')}`;

const attach = async (
  { app, workspace }: TestService,
  bytes: Buffer | string | null,
  { name = 'photo.png', query = '', ...headers }: Record<string, string> = {},
) =>
  app.request(`/desk/files${query}`, {
    method: 'POST',
    headers: {
      cookie: workspace.cookie,
      origin,
      'content-type': 'application/octet-stream',
      'x-file-name': encodeURIComponent(name),
      'content-length': String(bytes === null ? 0 : Buffer.byteLength(bytes)),
      ...headers,
    },
    body: bytes,
  });

const urlIn = (line: string) => /https?:\S+$/.exec(line)![0];

describe('a file that an agent attaches', () => {
  it('is kept, and its line has what a text needs', async () => {
    const service = createTestService();
    const response = await attach(service, png, { query: '?width=20&height=10' });
    expect(response.status).toBe(201);
    const line = await response.text();
    expect(line).toMatch(
      /^File: photo\.png, 25 bytes, 20 × 10, http:\/\/desk\.example\.com\/f\/[\w-]{22}\/photo\.png$/,
    );
    const file = await service.app.request(urlIn(line));
    expect(Buffer.from(await file.arrayBuffer())).toEqual(png);
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': "inline; filename*=UTF-8''photo.png",
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'cross-origin',
    });
  });

  it('that is no picture by its bytes is only downloaded, whatever its name and type say', async () => {
    const service = createTestService();
    for (const [name, bytes] of [
      ['a.png', '<script>alert(1)</script>'],
      ['a.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ] as const) {
      const response = await attach(service, bytes, {
        name,
        query: '?width=1&height=1',
        'content-type': 'image/png',
      });
      const line = await response.text();
      expect(line).not.toContain('×');
      const { headers } = await service.app.request(urlIn(line));
      expect(headers.get('content-type')).toBe('application/octet-stream');
      expect(headers.get('content-disposition')).toMatch(/^attachment/);
    }
  });

  it('is not found under another token, and its folder does not have the token', async () => {
    const service = createTestService();
    const url = urlIn(await (await attach(service, png)).text());
    const token = /f\/([\w-]{22})/.exec(url)![1]!;
    for (const other of [`${token.slice(0, -1)}!`, '..%2f..%2fservice.sqlite', 'A'.repeat(22)])
      expect((await service.app.request(`/f/${other}/photo.png`)).status).toBe(404);
    expect(JSON.stringify(service.db.prepare('SELECT * FROM files').all())).not.toContain(token);
  });

  it.each<[string, number, Record<string, string>]>([
    ['nobody who is signed in', 303, { cookie: '' }],
    ['another site', 403, { origin: 'https://evil.example' }],
    ['a name that is not encoded', 400, { 'x-file-name': '%' }],
    ['more bytes than are taken', 413, { 'content-length': '1000001' }],
  ])('by %s is refused with %d', async (_, status, headers) => {
    expect((await attach(createTestService(), png, headers)).status).toBe(status);
  });

  it('without bytes is refused, and so is one that is longer than it says', async () => {
    const service = createTestService();
    expect((await attach(service, null)).status).toBe(400);
    expect((await attach(service, Buffer.alloc(1_000_001), { 'content-length': '5' })).status).toBe(413);
    expect(service.db.prepare('SELECT count(*) FROM files').pluck().get()).toBe(0);
  });
});

describe('files in a conversation at the desk', () => {
  it('are pictures and links in place of the lines that name them', async () => {
    const service = createTestService();
    const { id } = await service.createTicket({
      description: `It broke.\n\nOrder: 7\n${photo}\n\nDeskside: e-mail verified · details 2 · ref DS-1`,
    });
    const reply = `File: Rechnung.pdf, 49 kB, ${link('Rechnung.pdf')}\n\nDeskside: details 1`;
    await service.call('POST', `/tickets/${id}/messages`, { body: reply });
    const line = await (await attach(service, png, { query: '?width=20&height=10' })).text();
    await post(service, `/tickets/${id}/answers`, { id: crypto.randomUUID(), body: `Here:\n\n${line}` });
    const html = await pageText(service, `/tickets/${id}`);
    expect(html).toContain(`src="${link('photo.jpg')}" alt="photo.jpg" width="320" height="240"`);
    expect(html).toMatch(/Rechnung\.pdf<\/span> <small>49 kB<\/small><\/span>/);
    expect(html).toContain(`src="${urlIn(line)}"`);
    expect(html).not.toMatch(/File: |Deskside: details/);
    // What is not about files stays beside the ticket.
    expect(html).toMatch(/<dt dir="auto">Order<\/dt>/);
    // Customers of any v1 client get the whole text.
    expect((await conversation(service, id)).messages[1]!.body).toBe(`Here:\n\n${line}`);
  });

  it('is told from what else a client says of a reply, such as who mailed it', async () => {
    const service = createTestService();
    const { id } = await service.createTicket();
    const reply = `Mine.\n\nBy mail from b@example.com, not verified\n${photo}\n\nDeskside: details 2`;
    await service.call('POST', `/tickets/${id}/messages`, { body: reply });
    const html = await pageText(service, `/tickets/${id}`);
    expect(html).toContain('By mail from b@example.com, not verified</p>');
    expect(html).not.toMatch(/File: |Deskside: details/);
  });

  it('of a server that nobody named are links that say where they lead, and no picture tells when they are read', async () => {
    const service = createTestService();
    const url = 'https://evil.example/f/AAAAAAAAAAAAAAAAAAAAAA/a.jpg';
    const { id } = await service.createTicket({
      description: `Hi\n\nFile: a.jpg, 1.0 kB, 5 × 5, ${url}\n\nDeskside: details 1`,
    });
    const response = await page(service, `/tickets/${id}`);
    const html = await response.text();
    expect(html).toContain(`href="${url}"`);
    expect(html).toContain('evil.example</small>');
    expect(html).not.toContain('<img');
    expect(response.headers.get('content-security-policy')).toContain(
      'img-src data: http://desk.example.com https://support.example.com;',
    );
  });
});
