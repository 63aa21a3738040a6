import { describe, expect, it } from 'vitest';
import { createTestService } from '../test-service.ts';
import { conversation, origin, post } from './test-desk.ts';

it.each(['/', '/tickets/x', '/customers', '/saved-answers', '/keys', '/webhooks', '/nothing'])(
  'the desk redirects to the sign-in page from %s without a session',
  async (path) => {
    const { app } = createTestService();
    const response = await app.request(`/desk${path}`, { headers: { cookie: 'deskside_desk=forged' } });
    expect(response.headers.get('location')).toBe('/desk/sign-in');
  },
);

it('the desk answers 415 to a form of another content type', async () => {
  const service = createTestService();
  for (const type of ['multipart/form-data; boundary=x', 'multipart/form-data', 'text/plain'])
    expect((await post(service, '/keys', { label: 'x' }, { origin, 'content-type': type })).status).toBe(415);
});

describe('a form from another site', () => {
  it.each<[Record<string, string>]>([
    [{}],
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
    [{ origin, 'sec-fetch-site': 'cross-site' }],
    [{ origin, 'sec-fetch-site': 'same-site' }],
    [{ origin: 'https://evil.example', 'content-type': 'text/plain' }],
  ])('is refused and changes nothing: %j', async (headers) => {
    const service = createTestService();
    const { id } = await service.createTicket();
    const fields = { id: crypto.randomUUID(), body: 'Forged' };
    const response = await post(service, `/tickets/${id}/answers`, fields, headers);
    expect(response.status).toBe(403);
    expect((await conversation(service, id)).messages).toStrictEqual([]);
  });
});
