import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { afterEach, describe, expect, it } from 'vitest';
import { gateHeader, idempotencyHeader, paths, proofHeader } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import { type TestBrowser, ticketBody } from '../../testing/browser.ts';
import { usualLimits as limits } from '../../testing/operator/limits.ts';
import { startStreams, until } from '../../testing/streams.ts';
import { identityToken, withIdentity } from '../../testing/identity.ts';

let bff: TestBff;
afterEach(() => bff.stop());

const newAddress = () => `${randomUUID()}@example.com`;

// oxlint-disable-next-line typescript/no-explicit-any -- whatever the answer carries
async function solve(challenge: any): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}
const openWith = (browser: TestBrowser, proof: string, more: object = {}) =>
  browser.request(
    'POST',
    paths.tickets,
    { ...ticketBody, customer_email: newAddress(), ...more },
    { [idempotencyHeader]: randomUUID(), ...(proof ? { [proofHeader]: proof } : {}) },
  );

describe('limits', () => {
  it('of one browser answer how long to wait, and before that what is left [overload-2]', async () => {
    bff = await startBff({ limits });
    const browser = bff.browser();
    const first = await openWith(browser, '');
    expect(first.headers.get('ratelimit')).toMatch(/"tickets-ip";r=9;t=3600/);
    const statuses = [];
    for (let n = 0; n < 5; n += 1) statuses.push((await openWith(browser, '')).status);
    expect(statuses).toEqual([201, 201, 201, 201, 201]);
    const { status, error, headers } = await openWith(browser, '');
    expect([status, error.code]).toEqual([429, 'rate_limited']);
    expect(headers.get('ratelimit-policy')).toContain('"tickets-session";q=5;w=3600');
    expect(headers.get('ratelimit')).toContain('"tickets-session";r=0;t=');
    expect(Number(headers.get('retry-after'))).toBe(error.retry_after);
    expect(error.retry_after).toBeGreaterThan(3_000);
  });

  it('of an address allow as many API requests and streams as the operator sets', async () => {
    bff = await startBff({ limits: { ...limits, requestsPerIp: 4, streamsPerIp: 2 } });
    const browser = bff.browser();
    const statuses = [];
    for (let n = 0; n < 5; n += 1) statuses.push((await browser.get(paths.session)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 429]);
    const customer = bff.browser();
    await customer.openTicket();
    const streams = await startStreams(bff);
    const opened = [];
    for (let n = 0; n < 3; n += 1) opened.push((await streams.listen(customer.cookie)).status);
    expect(opened).toEqual([200, 200, 429]);
  });

  it('count unknown files and paths too, for each address, beyond what an office needs [overload-26]', async () => {
    bff = await startBff();
    const ask = async (address: string, path: string) =>
      bff.app.request(path, { headers: { 'X-Forwarded-For': address } });
    const asked = ['/widget.js', '/frame', '/', '/assets/account-1a2b3c4d.js', '/nothing', '/api/session'];
    for (const path of asked) expect((await ask('203.0.113.1', path)).status).not.toBe(429);
    for (let n = asked.length; n < 3_000; n += 1)
      await bff.limits.take([{ policy: 'anything-ip', key: '203.0.113.1' }]);
    for (const path of [...asked, `${paths.hooks}/x`]) {
      const refused = await ask('203.0.113.1', path);
      expect([path, refused.status]).toEqual([path, 429]);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect((await ask('203.0.113.2', '/widget.js')).status).toBe(200);
  });

  it('count a send once, however often it is repeated', async () => {
    bff = await startBff({ limits });
    const browser = bff.browser();
    const key = randomUUID();
    for (let n = 0; n < 12; n += 1) expect((await browser.openTicket({}, key)).status).toBe(201);
    const { data } = (await browser.get(paths.tickets)) as { data: { id: string }[] };
    const replyKey = randomUUID();
    for (let n = 0; n < 30; n += 1)
      expect((await browser.post(paths.messages(data[0]!.id), { body: 'Hello' }, replyKey)).status).toBe(201);
  });

  it('that are used up let a repeat through, and do not count it', async () => {
    bff = await startBff({ limits });
    const browser = bff.browser();
    const { data: ticket } = await browser.openTicket();
    const reply = async (key: string, body = 'Hello') =>
      (await browser.post(paths.messages(ticket.id), { body }, key)).status;
    const key = randomUUID();
    expect(await reply(key)).toBe(201);
    for (let n = 0; n < 30; n += 1) expect(await reply(key, 'Another text')).toBe(422);
    for (let n = 1; n < 20; n += 1) expect(await reply(randomUUID())).toBe(201);
    expect(await reply(randomUUID())).toBe(429);
    expect(await reply(key)).toBe(201);
    expect(await reply(key, 'Another text')).toBe(422);
    expect(await reply(randomUUID())).toBe(429);
  });

  it('count the sessions that one key can be repeated for', async () => {
    bff = await startBff({ limits });
    const key = randomUUID();
    const statuses = [];
    for (let n = 0; n < 30; n += 1)
      statuses.push((await bff.browser({ address: '203.0.113.11' }).openTicket({}, key)).status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(20);
    expect(statuses.at(-1)).toBe(429);
  });

  it('allow twenty replies a minute [overload-3]', async () => {
    bff = await startBff({ limits });
    const browser = bff.browser();
    const { data } = await browser.openTicket();
    const send = async (n: number) =>
      (await browser.post(paths.messages(data.id), { body: `Message ${n}` })).status;
    for (let n = 0; n < 20; n += 1) expect(await send(n)).toBe(201);
    expect(await send(20)).toBe(429);
  });

  it('count by the address that our own proxy saw, whatever the client writes before it [overload-6]', async () => {
    bff = await startBff({ limits });
    const statuses = [];
    for (let n = 0; n < 11; n += 1)
      statuses.push((await openWith(bff.browser({ address: `10.9.9.${n}, 203.0.113.7` }), '')).status);
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 201));
    expect(statuses[10]).toBe(429);
  });

  it('of an address do not apply to a customer who has proven it', async () => {
    bff = await startBff({ ...withIdentity, limits });
    for (let n = 0; n < 4; n += 1) await bff.browser().openTicket();
    const owner = bff.browser();
    await owner.request('POST', paths.identity, { token: await identityToken(ticketBody.customer_email) });
    expect((await owner.openTicket()).status).toBe(201);
  });

  it('of an address that a stranger has used up do not affect its owner elsewhere', async () => {
    bff = await startBff({ limits });
    const customer_email = newAddress();
    const open = async (address: string) =>
      (await bff.browser({ address }).openTicket({ customer_email })).status;
    const stranger = [];
    for (let n = 0; n < 4; n += 1) stranger.push(await open('203.0.113.1'));
    expect(stranger).toEqual([201, 201, 201, 429]);
    expect(await open('203.0.113.2')).toBe(201);
  });

  it('of an address stop nobody who pays with a proof of work, even far beyond them', async () => {
    bff = await startBff({ limits, pow: 'auto' });
    const customer_email = newAddress();
    for (let n = 0; n < 30; n += 1)
      expect((await bff.browser().openTicket({ customer_email })).status).toBe(201);
    for (let n = 0; n < 4; n += 1) {
      const owner = bff.browser({ address: '203.0.113.2' });
      const asked = await openWith(owner, '', { customer_email });
      expect([asked.status, asked.error.code]).toEqual([428, 'proof_required']);
      const proof = await solve(asked.error.challenge);
      expect((await openWith(owner, proof, { customer_email })).status).toBe(201);
    }
  });

  it('of an address require a code after very many tickets under it, where codes are mailed', async () => {
    bff = await startBff({
      limits,
      pow: 'auto',
      parts: [{ sendCode: async () => {} }],
    });
    const customer_email = newAddress();
    for (let n = 0; n < 30; n += 1)
      expect((await bff.browser().openTicket({ customer_email })).status).toBe(201);
    const { status, error } = await openWith(bff.browser(), '', { customer_email });
    expect([status, error.code]).toEqual([403, 'email_unverified']);
    expect(bff.service.writes()).toHaveLength(30);
    expect((await bff.browser().openTicket({ customer_email: newAddress() })).status).toBe(201);
  });

  it('are not used up by requests that could not be recorded', async () => {
    bff = await startBff({ limits });
    const browser = bff.browser();
    await openWith(browser, '');
    await bff.store.schema.alterTable('operations').renameTo('operations_gone').execute();
    for (let n = 0; n < 8; n += 1) expect((await openWith(browser, '')).status).toBeGreaterThanOrEqual(500);
    await bff.store.schema.alterTable('operations_gone').renameTo('operations').execute();
    expect((await openWith(browser, '')).status).toBe(201);
  });
});

describe('proof of work', () => {
  it('when on is required before every new ticket, and lets one ticket through [overload-7]', async () => {
    bff = await startBff({ pow: 'on' });
    const browser = bff.browser();
    const asked = await openWith(browser, '');
    expect([asked.status, asked.error.code]).toEqual([428, 'proof_required']);
    const proof = await solve(asked.error.challenge);
    expect((await openWith(browser, proof)).status).toBe(201);
    expect((await openWith(browser, proof)).status).toBe(428);
    expect(bff.service.writes()).toHaveLength(1);
  });

  it('on auto is required when a limit is near, or when a field was filled in that no customer sees [overload-8]', async () => {
    bff = await startBff({ pow: 'auto', limits });
    const browser = bff.browser();
    for (let n = 0; n < 3; n += 1) expect((await openWith(browser, '')).status).toBe(201);
    const near = await openWith(browser, '');
    expect(near.status).toBe(428);
    expect((await openWith(browser, await solve(near.error.challenge))).status).toBe(201);
    const trapped = await openWith(bff.browser(), '', { website: 'https://spam.example' });
    expect(trapped.status).toBe(428);
    const proof = await solve(trapped.error.challenge);
    expect((await openWith(bff.browser(), proof, { website: 'x' })).status).toBe(201);
    for (const { body } of bff.service.writes()) expect(body).not.toHaveProperty('website');
  });

  it('when off is never required', async () => {
    bff = await startBff({ pow: 'off', limits });
    expect((await openWith(bff.browser(), '', { website: 'x' })).status).toBe(201);
  });

  it('is not required for a send that is recorded already', async () => {
    bff = await startBff({ pow: 'on' });
    const browser = bff.browser();
    const key = randomUUID();
    const headers = { [idempotencyHeader]: key };
    const asked = await browser.request('POST', paths.tickets, ticketBody, headers);
    const proof = await solve(asked.error.challenge);
    await browser.request('POST', paths.tickets, ticketBody, { ...headers, [proofHeader]: proof });
    expect((await browser.request('POST', paths.tickets, ticketBody, headers)).status).toBe(201);
  });
});

describe('the webhook route', () => {
  it('makes the BFF read at once a ticket that somebody watches, and no other', async () => {
    const secret = 'a webhook secret of some length';
    bff = await startBff({ webhookSecrets: [secret], watchActiveMs: 600_000, watchIdleMs: 600_000 });
    const streams = await startStreams(bff);
    const browser = bff.browser();
    const { data: watched } = await browser.openTicket();
    const stream = await streams.listen(browser.cookie, watched.id);
    const { data: unwatched } = await bff.browser().openTicket({ customer_email: newAddress() });
    // Not of the list, which is also read when the machine is too busy for a read in time.
    const reads = () =>
      bff.service.calls.map(({ path }) => path).filter((path) => path.includes('/tickets/'));
    const before = reads().length;
    bff.service.addMessage(watched.id, 'agent', 'Here it is');
    const body = JSON.stringify({ ticket_id: watched.id, others: [unwatched.id, randomUUID()] });
    const url = `/hooks/tickets/${encodeURIComponent(secret)}`;
    expect((await bff.app.request(url, { method: 'POST', body })).status).toBe(204);
    await until(() => expect(JSON.stringify(stream.seen)).toContain('Here it is'));
    expect(reads().slice(before)).toEqual([expect.stringContaining(watched.id)]);
  });
});

describe('streams', () => {
  it('that wait for each other on one connection are refused, not forgotten [overload-27]', async () => {
    bff = await startBff();
    const streams = await startStreams(bff);
    const browser = bff.browser();
    await browser.openTicket();
    const socket = connect(Number(new URL(streams.origin).port), '127.0.0.1');
    const request = `GET ${paths.events} HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: same-origin\r\n${gateHeader}: 1\r\nCookie: ${browser.cookie}\r\n\r\n`;
    socket.write(request.repeat(6));
    await until(() => expect(bff.live.counts().streams).toBe(1));
    await until(() => expect(bff.logLines.filter((line) => line.includes('"status":503'))).toHaveLength(5));
    socket.destroy();
    await until(() => expect(bff.live.counts()).toEqual({ streams: 0, watches: 0 }));
  });

  it('are limited to six of one session, and a closed one makes room [overload-28]', async () => {
    bff = await startBff();
    const streams = await startStreams(bff);
    const browser = bff.browser();
    await browser.openTicket();
    const open = [];
    for (let n = 0; n < 6; n += 1) open.push(await streams.listen(browser.cookie));
    expect((await streams.listen(browser.cookie)).status).toBe(429);
    open[0]!.stop();
    await until(async () => expect((await streams.listen(browser.cookie)).status).toBe(200));
  });
});

describe('every answer', () => {
  it('keeps browsers to https where the BFF has an https address, and forbids content sniffing [browser-24]', async () => {
    bff = await startBff();
    for (const path of ['/', '/frame', '/widget.js', paths.session, '/nothing']) {
      const { headers } = await bff.app.request(path);
      expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    }
    const streams = await startStreams(bff);
    const browser = bff.browser();
    await browser.openTicket();
    const stream = await streams.listen(browser.cookie);
    expect(Object.fromEntries(stream.headers)).toMatchObject({
      'strict-transport-security': 'max-age=31536000',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-deskside-version': '1.2.3',
    });
    await bff.stop();
    bff = await startBff({ publicUrl: 'http://localhost:4000' });
    expect((await bff.app.request('/')).headers.get('strict-transport-security')).toBeNull();
  });
});
