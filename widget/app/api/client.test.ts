import { describe, expect, it, vi } from 'vitest';
import { aMessage, aTicket, newStore, settle } from '../testing/fakes.ts';
import { createClient } from './client.ts';
import { readStream } from './stream.ts';
import { createToken } from './token.ts';

const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });
/** A client of a browser that stores cookies or does not; `kept` is what its tab stores. */
function setUp(
  send: typeof fetch,
  { hasCookies = true, ...more }: Partial<Parameters<typeof createClient>[0]> & { hasCookies?: boolean } = {},
) {
  const kept = newStore();
  const solve = vi.fn<(challenge: unknown) => Promise<string | null>>(async () => null);
  const renew = vi.fn<() => Promise<boolean>>(async () => false);
  const token = createToken(kept, () => hasCookies);
  return {
    kept,
    solve,
    renew,
    client: createClient({ send, token, owner: () => null, readStream, solve, renew, ...more }),
  };
}

const payload = { subject: 's', description: 'd', customer_email: 'ana@example.com' };

const answering = (response: Response | Error) => {
  const send = vi.fn<typeof fetch>(async () => {
    if (response instanceof Error) throw response;
    return response;
  });
  return { send, ...setUp(send) };
};

describe('requests', () => {
  it('have the gate header; writes also have the idempotency key and JSON', async () => {
    const { send, client } = answering(json(201, { data: aMessage() }));
    await client.reply('t1', 'key-1', { body: 'Hello' }, null);
    const [path, init] = send.mock.calls[0]!;
    expect(path).toBe('/api/tickets/t1/messages');
    expect(init).toMatchObject({
      method: 'POST',
      headers: { 'X-Deskside': '1', 'Idempotency-Key': 'key-1', 'Content-Type': 'application/json' },
      body: '{"body":"Hello"}',
    });
  });

  it('that read have no body or key', async () => {
    const { send, client } = answering(json(200, { data: [] }));
    await client.tickets();
    expect(send.mock.calls[0]![1]).toMatchObject({ method: 'GET' });
    expect(send.mock.calls[0]![1]).not.toHaveProperty('body');
    expect(send.mock.calls[0]![1]!.headers).not.toHaveProperty('Idempotency-Key');
  });
});

describe('the owner of a request', () => {
  it('is named when this tab knows it; a send names its writer', async () => {
    const send = vi.fn<typeof fetch>(async () => json(200, { data: [] }));
    const { client } = setUp(send, { owner: () => 'ana' });
    await client.tickets();
    await client.ticket('t1');
    await client.reply('t1', 'key-1', { body: 'Hello' }, null);
    await client.session();
    await client.signOut();
    const headerValues = (name: string) =>
      send.mock.calls.map(([, init]) => (init!.headers as Record<string, string>)[name]);
    const nothing = undefined;
    // A BFF of the last build refuses every `owner` that is not the session's, and takes what names none.
    expect(headerValues('X-Deskside-Owner')).toEqual(['ana', 'ana', nothing, nothing, nothing]);
    expect(headerValues('X-Deskside-Anonymous')).toEqual([nothing, nothing, '1', nothing, nothing]);
  });
});

it('a request has more time the longer its text is, since the network may be slow', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  const { client } = answering(json(201, { data: aTicket() }));
  await client.createTicket('key-1', payload, null);
  await client.createTicket('key-2', { ...payload, description: '漢'.repeat(19_000) }, null);
  const [short, long] = timeout.mock.calls.map(([ms]) => ms);
  expect(long! - short!).toBeGreaterThan(18_000);
  timeout.mockRestore();
});

describe('answers', () => {
  it('give their data, also with the status 202', async () => {
    const waiting = aTicket({ id: null, key: 'key-1', state: 'accepted' });
    const { client } = answering(json(202, { data: waiting }));
    expect(await client.createTicket('key-1', payload, null)).toEqual({ ok: true, value: waiting });
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

  it.each([
    ['a ticket', { status: 'log in' }, 'createTicket'],
    ['a reply', { body: 'Please log in' }, 'reply'],
    ['the list', 'Please log in', 'tickets'],
  ] as const)('of a proxy that looks a little like %s are not trusted', async (_name, data, name) => {
    const { client } = answering(json(200, { data }));
    const calls = {
      createTicket: () => client.createTicket('key-1', payload, null),
      reply: () => client.reply('t1', 'key-1', { body: 'Hello' }, null),
      tickets: client.tickets,
    };
    expect(await calls[name]()).toMatchObject({ error: { kind: 'invalid_response', retryable: true } });
  });

  it.each([
    [503, { code: 503, message: 'no healthy upstream', fields: null }, { retryAfterSec: 0, fields: {} }],
    [429, { code: 'rate_limited', retry_after: 'soon' }, { code: 'rate_limited', retryAfterSec: 0 }],
    [429, { code: 'rate_limited', retry_after: 1e12 }, { code: 'rate_limited', retryAfterSec: 86_400 }],
    [502, 'Bad gateway', { code: null, retryAfterSec: 0, fields: {} }],
  ])('of a proxy with the status %i and its own error %j can be retried', async (status, error, read) => {
    const { client } = answering(json(status, { error }));
    const result = await client.session();
    expect(result).toMatchObject({ error: { retryable: true, ...read } });
    expect(result).toHaveProperty('error.fields', {});
  });

  it('that are not JSON, such as the page of a captive portal, can be retried', async () => {
    const { client } = answering(new Response('<h1>Welcome to the airport</h1>'));
    expect(await client.session()).toMatchObject({
      ok: false,
      error: { kind: 'invalid_response', retryable: true },
    });
  });
});

describe('an id that the host page gave', () => {
  it.each(['../session', '..', 'a/../../session', '', 'x'.repeat(201)])(
    'causes no request if no ticket can have it: %j [browser-27]',
    async (id) => {
      const { client, send } = answering(json(200, { data: aTicket() }));
      expect(await client.ticket(id)).toMatchObject({ error: { code: 'not_found', retryable: false } });
      expect(send).not.toHaveBeenCalled();
    },
  );

  it('cannot leave its part of the path', async () => {
    const { client, send } = answering(json(404, { error: { code: 'not_found' } }));
    await client.ticket('x/read?a=1#b');
    expect(send.mock.calls[0]![0]).toBe('/api/tickets/x%2Fread%3Fa%3D1%23b?before=');
  });

  it('is sent as the thread’s id, whatever it contains [browser-28]', async () => {
    const { client, send } = answering(new Response('\n'));
    await client.events({ thread: 'a&thread=b#c', after: null }, () => {}, new AbortController().signal);
    expect(send.mock.calls[0]![0]).toBe('/api/events?thread=a%26thread%3Db%23c&after=');
  });

  it('cannot leave the query, nor can a message’s id', async () => {
    const { client, send } = answering(json(404, { error: { code: 'not_found' } }));
    await client.ticket('t1', 'm&before=1#c');
    expect(send.mock.calls[0]![0]).toBe('/api/tickets/t1?before=m%26before%3D1%23c');
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

  it('of a proxy have no code and can be retried', async () => {
    const { client } = answering(new Response('<h1>Bad gateway</h1>', { status: 502 }));
    expect(await client.session()).toMatchObject({ error: { kind: 'http', code: null, retryable: true } });
  });

  it('of the network do not throw', async () => {
    const { client } = answering(new TypeError('Failed to fetch'));
    expect(await client.session()).toMatchObject({ ok: false, error: { kind: 'network', retryable: true } });
  });
});

describe('a browser without cookies', () => {
  it('keeps the token of an answer, and sends it with every request and the stream', async () => {
    const send = vi.fn<typeof fetch>(async () => json(201, { data: aTicket(), session_token: 't1' }));
    const { client } = setUp(send, { hasCookies: false });
    const headers = (turn: number) => send.mock.calls[turn]![1]!.headers;
    await client.session();
    expect(headers(0)).not.toHaveProperty('X-Deskside-Session');
    await client.createTicket('key-1', payload, null);
    expect(headers(1)).toMatchObject({ 'X-Deskside-Session': 'bearer' });
    expect(headers(1)).not.toHaveProperty('Authorization', 'Bearer undefined');
    await client.tickets();
    expect(headers(2)).toMatchObject({ Authorization: 'Bearer t1' });
    await client.events({ thread: null, after: null }, () => {}, new AbortController().signal);
    expect(headers(3)).toMatchObject({ Authorization: 'Bearer t1' });
  });

  it('drops a refused session token, but not when an identity token is refused', async () => {
    const send = vi.fn<typeof fetch>(async () => json(401, { error: { code: 'unauthenticated' } }));
    const { client, kept, renew } = setUp(send);
    kept.write('session', 't1');
    await client.identify('jwt');
    expect(kept.read('session')).toBe('t1');
    expect(renew).not.toHaveBeenCalled();
    await client.tickets();
    expect(kept.read('session')).toBeNull();
    expect(renew).toHaveBeenCalledOnce();
  });
});

describe('a session that has ended', () => {
  it('is renewed, and the same request is sent once more', async () => {
    const send = vi.fn<typeof fetch>(async () => json(401, { error: { code: 'unauthenticated' } }));
    send.mockResolvedValueOnce(json(401, { error: { code: 'unauthenticated' } }));
    send.mockResolvedValueOnce(json(201, { data: aMessage() }));
    const { client } = setUp(send, { renew: async () => true });
    expect(await client.reply('t1', 'key-1', { body: 'Hello' }, null)).toMatchObject({ ok: true });
    const [first, second] = send.mock.calls;
    expect(second![1]!.body).toBe(first![1]!.body);
    expect(second![1]!.headers).toEqual(first![1]!.headers);
    expect(await client.tickets()).toMatchObject({ error: { code: 'unauthenticated' } });
    expect(send).toHaveBeenCalledTimes(4);
  });
});

it('a reply under a session that another tab has just replaced is sent again with the new cookie', async () => {
  const send = vi.fn<typeof fetch>(async () => json(201, { data: aMessage() }));
  send.mockResolvedValueOnce(json(401, { error: { code: 'unauthenticated' } }));
  const { client } = setUp(send, { renew: async () => false });
  expect(await client.reply('t1', 'key-1', { body: 'Hello' }, null)).toMatchObject({ ok: true });
  expect(send).toHaveBeenCalledTimes(2);
});

describe('a new ticket of a browser whose session is dead', () => {
  const dead = () => json(401, { error: { code: 'unauthenticated' } });
  const cleared = () => json(200, { data: { customer: null } });

  /** A BFF that accepts tickets once the dead session is cleared; `methods` has what it was asked. */
  function withDeadSession(clear: () => Response | Error = cleared) {
    let isDead = true;
    const methods: string[] = [];
    const send = vi.fn<typeof fetch>(async (_path, init) => {
      methods.push(init!.method!);
      if (init!.method !== 'DELETE') return isDead ? dead() : json(201, { data: aTicket() });
      const answer = clear();
      if (answer instanceof Error) throw answer;
      isDead = false;
      return answer;
    });
    return { send, methods };
  }

  it('begins a new session with the same request when the old one cannot be renewed', async () => {
    const { send, methods } = withDeadSession();
    const { client, renew } = setUp(send);
    expect(await client.createTicket('key-1', payload, null)).toMatchObject({ ok: true });
    expect(renew).toHaveBeenCalledOnce();
    expect(methods.slice(-2)).toEqual(['DELETE', 'POST']);
    expect(send.mock.calls.at(-1)![1]).toMatchObject({
      headers: { 'Idempotency-Key': 'key-1' },
      body: JSON.stringify(payload),
    });
    // SECURITY: it does not clear the session of a customer who has signed in meanwhile.
    for (const [, init] of send.mock.calls)
      expect(init!.headers).toMatchObject({ 'X-Deskside-Anonymous': '1' });
  });

  it('begins no session when the old one was renewed', async () => {
    const { send, methods } = withDeadSession();
    send.mockResolvedValueOnce(dead()).mockResolvedValueOnce(json(201, { data: aTicket() }));
    const { client } = setUp(send, { renew: async () => true });
    expect(await client.createTicket('key-1', payload, null)).toMatchObject({ ok: true });
    expect(methods).not.toContain('DELETE');
  });

  it('does not end a session that another tab has begun meanwhile', async () => {
    const { send, methods } = withDeadSession();
    send.mockResolvedValueOnce(dead()).mockResolvedValueOnce(json(201, { data: aTicket() }));
    expect(await setUp(send).client.createTicket('key-1', payload, null)).toMatchObject({ ok: true });
    expect(methods).not.toContain('DELETE');
  });

  it('fails when the old session cannot be ended, and can be retried', async () => {
    const { send } = withDeadSession(() => new TypeError('Failed to fetch'));
    expect(await setUp(send).client.createTicket('key-1', payload, null)).toMatchObject({
      error: { kind: 'network', retryable: true },
    });
  });

  it('is not sent for a customer who leaves while the old one is renewed', async () => {
    const { send, methods } = withDeadSession();
    let answer = (_: boolean) => {};
    const { client } = setUp(send, { renew: () => new Promise((resolve) => (answer = resolve)) });
    const ticket = client.createTicket('key-1', payload, null);
    await settle();
    client.abandon();
    answer(true);
    expect(await ticket).toMatchObject({ ok: false, error: { kind: 'network' } });
    expect(methods).toEqual(['POST']);
  });

  it('begins no session for a signed-in customer’s text [identity-17]', async () => {
    const { send, methods } = withDeadSession();
    expect(await setUp(send).client.createTicket('key-1', payload, 'ana')).toMatchObject({
      error: { code: 'unauthenticated' },
    });
    expect(methods).not.toContain('DELETE');
    for (const [, init] of send.mock.calls)
      expect(init!.headers).toMatchObject({ 'X-Deskside-Owner': 'ana' });
  });

  it('is the only request that begins a session', async () => {
    const { send, methods } = withDeadSession();
    const { client } = setUp(send);
    const refused = { ok: false, error: { code: 'unauthenticated' } };
    expect(await client.tickets()).toMatchObject(refused);
    expect(await client.reply('t1', 'key-1', { body: 'Hello' }, null)).toMatchObject(refused);
    expect(methods).not.toContain('DELETE');
  });
});

describe('a proof of work', () => {
  const required = () => json(428, { error: { code: 'proof_required', challenge: { salt: 'x' } } });

  it('is solved, and the same request is sent again with it', async () => {
    const send = vi.fn<typeof fetch>(async () => json(201, { data: aTicket() }));
    send.mockResolvedValueOnce(required());
    const solve = vi.fn<(challenge: unknown) => Promise<string | null>>(async () => 'solved');
    const { client } = setUp(send, { solve });
    expect(await client.createTicket('key-1', payload, null)).toMatchObject({ ok: true });
    expect(solve).toHaveBeenCalledWith({ salt: 'x' });
    expect(send.mock.calls[0]![1]!.headers).not.toHaveProperty('X-Deskside-Proof');
    expect(send.mock.calls[1]![1]).toMatchObject({
      headers: { 'X-Deskside-Proof': 'solved', 'Idempotency-Key': 'key-1' },
      body: JSON.stringify(payload),
    });
  });

  it('that is required again, or cannot be solved, fails the request, which can be retried', async () => {
    const send = vi.fn<typeof fetch>(async () => required());
    const { client } = setUp(send, { solve: async () => 'solved' });
    const failed = { ok: false, error: { code: 'proof_required', retryable: true } };
    expect(await client.createTicket('key-1', payload, null)).toMatchObject(failed);
    expect(send).toHaveBeenCalledTimes(2);
    expect(await setUp(send).client.createTicket('key-1', payload, null)).toMatchObject(failed);
    expect(send).toHaveBeenCalledTimes(3);
  });
});

describe('calls in flight when the customer leaves', () => {
  it.each([
    ['an answer', () => json(200, { data: [], session_token: 'theirs' })],
    ['a refusal', () => json(401, { error: { code: 'unauthenticated' } })],
  ])('fail without a result: %s', async (_what, answer) => {
    let arrive = (_: Response) => {};
    const send = vi.fn<typeof fetch>(() => new Promise((resolve) => (arrive = resolve)));
    const { client, kept, renew } = setUp(send);
    const list = client.tickets();
    client.abandon();
    arrive(answer());
    expect(await list).toMatchObject({ ok: false, error: { kind: 'network' } });
    expect(kept.read('session')).toBeNull();
    expect(renew).not.toHaveBeenCalled();
    send.mockResolvedValueOnce(json(200, { data: [] }));
    expect(await client.tickets()).toMatchObject({ ok: true });
  });
});
