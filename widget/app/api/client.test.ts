import { describe, expect, it, vi } from 'vitest';
import { aMessage, aTicket } from '../testing/fakes.ts';
import { createClient } from './client.ts';

const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });
const answering = (response: Response | Error) => {
  const send = vi.fn<typeof fetch>(async () => {
    if (response instanceof Error) throw response;
    return response;
  });
  return { send, client: createClient(send) };
};

describe('requests', () => {
  it('carry the gate header, and writes the idempotency key and JSON', async () => {
    const { send, client } = answering(json(201, { data: aMessage() }));
    await client.reply('t1', 'key-1', { body: 'Hello' });
    const [path, init] = send.mock.calls[0]!;
    expect(path).toBe('/api/tickets/t1/messages');
    expect(init).toMatchObject({
      method: 'POST',
      headers: { 'X-Deskside': '1', 'Idempotency-Key': 'key-1', 'Content-Type': 'application/json' },
      body: '{"body":"Hello"}',
    });
  });

  it('of reads have no method, body or key', async () => {
    const { send, client } = answering(json(200, { data: [] }));
    await client.tickets();
    expect(send.mock.calls[0]![1]).not.toHaveProperty('method');
    expect(send.mock.calls[0]![1]!.headers).not.toHaveProperty('Idempotency-Key');
  });
});

describe('answers', () => {
  it('give the data, accepted ones too', async () => {
    const waiting = aTicket({ id: null, key: 'key-1', state: 'accepted' });
    const { client } = answering(json(202, { data: waiting }));
    const payload = { subject: 's', description: 'd', customer_email: 'ana@example.com' };
    expect(await client.createTicket('key-1', payload)).toEqual({ ok: true, value: waiting });
  });

  it.each([
    ['of another shape', { data: { subject: 'no messages' } }],
    ['without an envelope', {}],
    ['with nothing in it', { data: null }],
  ])('%s are not trusted', async (_name, body) => {
    const { client } = answering(json(200, body));
    expect(await client.ticket('t1')).toMatchObject({
      ok: false,
      error: { kind: 'invalid_response', retryable: true },
    });
  });

  it('that are not JSON, from a captive portal say, can be retried', async () => {
    const { client } = answering(new Response('<h1>Welcome to the airport</h1>'));
    expect(await client.session()).toMatchObject({
      ok: false,
      error: { kind: 'invalid_response', retryable: true },
    });
  });
});

describe('failures', () => {
  it('give code, fields and the seconds to wait', async () => {
    const { client } = answering(
      json(429, { error: { code: 'rate_limited', retry_after: 30, message: '', request_id: '' } }),
    );
    expect(await client.tickets()).toMatchObject({
      error: { kind: 'http', code: 'rate_limited', retryable: true, retryAfterSec: 30 },
    });
    const refused = { error: { code: 'invalid_request', fields: { subject: 'required' } } };
    expect(await answering(json(400, refused)).client.tickets()).toMatchObject({
      error: { code: 'invalid_request', retryable: false, fields: { subject: 'required' } },
    });
  });

  it.each([
    [400, 'invalid_request', false],
    [401, 'unauthenticated', false],
    [409, 'conversation_merged', false],
    [409, 'operation_in_progress', true],
    [500, 'internal', true],
    [503, 'overloaded', true],
  ])('with %i %s: retryable %s', async (status, code, retryable) => {
    const { client } = answering(json(status, { error: { code } }));
    expect(await client.session()).toMatchObject({ ok: false, error: { code, retryable } });
  });

  it('of a proxy in between have no code and can be retried', async () => {
    const { client } = answering(new Response('<h1>Bad gateway</h1>', { status: 502 }));
    expect(await client.session()).toMatchObject({ error: { kind: 'http', code: null, retryable: true } });
  });

  it('of the network do not throw', async () => {
    const { client } = answering(new TypeError('Failed to fetch'));
    expect(await client.session()).toMatchObject({ ok: false, error: { kind: 'network', retryable: true } });
  });
});
