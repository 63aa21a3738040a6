import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gateHeader, idempotencyHeader, paths } from '../shared/contract/paths.ts';
import { canaryKey, startBff, type TestBff } from './testing/bff.ts';
import { ticketBody } from './testing/browser.ts';

let bff: TestBff;
beforeEach(async () => {
  bff = await startBff();
});
afterEach(() => bff.stop());

describe('a first ticket', () => {
  it('reaches the service as the customer wrote it, with one line for agents', async () => {
    const { status, data } = await bff.browser().openTicket({
      subject: '  Cafe\u0301  ',
      priority: 'high',
      context: { page_url: 'https://shop.test/cart' },
    });
    expect(status).toBe(201);
    expect(data).toMatchObject({
      subject: 'Café',
      state: 'done',
      status: 'new',
      unread: 0,
      ticket_number: 1000,
    });
    expect(bff.service.writes()).toHaveLength(1);
    expect(bff.service.writes()[0]!.body).toEqual({
      subject: 'Café',
      description: expect.stringMatching(
        /^It came like this\.\nWhat now\?\n\nDeskside: e-mail not verified · page https:\/\/shop\.test\/cart · ref DS-\w{12}$/,
      ),
      customer_email: 'ada@example.com',
      customer_name: 'Ada',
      priority: 'high',
    });
    expect(bff.service.writes()[0]!.headers['authorization']).toBe(`Bearer ${canaryKey}`);
  });

  it('starts a session in the one cookie shape [browser-17]', async () => {
    const { headers } = await bff.browser().openTicket();
    expect(headers.get('set-cookie')).toMatch(
      /^__Host-deskside=s1_[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; Secure; SameSite=None; Partitioned$/,
    );
  });

  it('is in the list and can be read, without the line for agents', async () => {
    const ada = bff.browser();
    const opened = await ada.openTicket();
    const list = await ada.get(paths.tickets);
    expect(list.data).toEqual([expect.objectContaining({ id: opened.data.id, subject: ticketBody.subject })]);
    const thread = await ada.get(paths.ticket(opened.data.id));
    expect(thread.data.messages).toEqual([
      expect.objectContaining({ author_type: 'customer', body: ticketBody.description, state: 'done' }),
    ]);
    expect((await ada.get(paths.session)).data).toEqual({
      customer: { email: 'ada@example.com', name: 'Ada', verified: false, owner: null },
      unread: 0,
      brand: 'Acme',
      claimable: 0,
      transferable: 0,
      moved: false,
      email_code: false,
    });
  });

  it('is sent once, however often the same request arrives at the same time [delivery-5]', async () => {
    const key = randomUUID();
    const tabs = [bff.browser(), bff.browser(), bff.browser()];
    const answers = await Promise.all(tabs.map((tab) => tab.openTicket({}, key)));
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
    expect(bff.service.writes()).toHaveLength(1);
    for (const tab of tabs) expect((await tab.get(paths.tickets)).data).toHaveLength(1);
  });

  it('is sent once when it is repeated after its first answer and session were lost', async () => {
    const key = randomUUID();
    const lost = await bff.browser().openTicket({}, key);
    const ada = bff.browser();
    const repeated = await ada.openTicket({}, key);
    expect(repeated.data.id).toBe(lost.data.id);
    expect(bff.service.writes()).toHaveLength(1);
    expect((await ada.get(paths.tickets)).data).toHaveLength(1);
  });

  it('is not given to a stranger who repeats its key after the session has been used [isolation-19]', async () => {
    const key = randomUUID();
    const ada = bff.browser();
    await ada.openTicket({}, key);
    await ada.get(paths.tickets);
    const stranger = await bff.browser().openTicket({}, key);
    expect([stranger.status, stranger.data.id]).toEqual([201, null]);
    expect(stranger.headers.get('set-cookie')).toBeNull();
    expect(bff.service.writes()).toHaveLength(1);
  });

  it('is refused when its key was used for another text [delivery-6]', async () => {
    const ada = bff.browser();
    const key = randomUUID();
    await ada.openTicket({}, key);
    const other = await ada.openTicket({ subject: 'Another' }, key);
    expect([other.status, other.error.code]).toEqual([422, 'invalid_request']);
    expect(bff.service.writes()).toHaveLength(1);
  });
});

describe('a reply', () => {
  it('is sent once and shown with its key', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    const key = randomUUID();
    const first = await ada.post(paths.messages(ticket.id), { body: 'Thanks!' }, key);
    const second = await ada.post(paths.messages(ticket.id), { body: 'Thanks!' }, key);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.data).toMatchObject({ key, body: 'Thanks!', state: 'done', author_type: 'customer' });
    expect(second.data).toEqual(first.data);
    expect(bff.service.writes()).toHaveLength(2);
    const thread = await ada.get(paths.ticket(ticket.id));
    expect(thread.data.messages.map((m: { body: string }) => m.body)).toEqual([
      ticketBody.description,
      'Thanks!',
    ]);
  });

  it('to a merged ticket is refused, and the ticket is closed', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    bff.service.answer = ({ path }) => (path.endsWith('/messages') ? { statusCode: 409 } : undefined);
    const { status, error } = await ada.post(paths.messages(ticket.id), { body: 'Still there?' });
    expect([status, error.code]).toEqual([409, 'conversation_merged']);
    const thread = await ada.get(paths.ticket(ticket.id));
    expect(thread.data.closed).toBe(true);
    expect((await ada.get(paths.tickets)).data).toMatchObject([{ id: ticket.id, closed: true }]);
    expect(thread.data.messages.at(-1)).toMatchObject({ body: 'Still there?', state: 'rejected' });
  });
});

describe('answers of agents', () => {
  it('count as unread until they were on screen', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    const answer = bff.service.addMessage(ticket.id, 'agent', 'We send a new one.');
    const thread = await ada.get(paths.ticket(ticket.id));
    expect(thread.data).toMatchObject({
      unread: 1,
      preview: { author_type: 'agent', text: 'We send a new one.' },
    });
    expect((await ada.get(paths.session)).data.unread).toBe(1);
    const read = await ada.request('POST', paths.read(ticket.id), { message_id: answer.id });
    expect(read.data.unread).toBe(0);
    expect((await ada.get(paths.tickets)).data[0].unread).toBe(0);
  });
});

describe('the browser', () => {
  it('gets nothing of another customer: the answer is the 404 of an unknown ticket, without a call to the service', async () => {
    const ada = bff.browser();
    const eve = bff.browser();
    const { data: ticket } = await ada.openTicket();
    await eve.openTicket({ customer_email: 'eve@example.com' });
    const before = bff.service.calls.length;
    const ids = [ticket.id, randomUUID(), 'nonsense', '%00', ticket.id.toUpperCase()];
    const masked = new Set<string>();
    for (const id of ids) {
      const reads = await eve.get(paths.ticket(id));
      const replies = await eve.post(paths.messages(id), { body: 'Hello' });
      const marks = await eve.request('POST', paths.read(id), { message_id: 'x' });
      for (const { status, text, error } of [reads, replies, marks]) {
        expect(status).toBe(404);
        masked.add(text.replace(error.request_id, ''));
      }
    }
    expect(masked.size).toBe(1);
    expect(bff.service.calls).toHaveLength(before);
  });

  it('gets the customer record in no answer', async () => {
    const ada = bff.browser();
    const opened = await ada.openTicket();
    const thread = await ada.get(paths.ticket(opened.data.id));
    const texts = [opened, thread, await ada.get(paths.tickets), await ada.get(paths.session)].map(
      ({ text }) => text,
    );
    for (const text of [...texts, ...bff.logLines]) {
      expect(text).not.toMatch(/Stored (Name|Company)|customer_id/);
      expect(text).not.toContain(canaryKey);
    }
  });

  it('does not get a customer message that came another way', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    bff.service.addMessage(ticket.id, 'customer', 'My secret, by mail');
    const thread = await ada.get(paths.ticket(ticket.id));
    expect(thread.data.messages.at(-1)).toMatchObject({ hidden: true, body: '' });
    expect(thread.text).not.toContain('My secret');
    expect((await ada.get(paths.tickets)).text).not.toContain('My secret');
  });
});

describe('signing out', () => {
  it('ends the session and clears the cookie', async () => {
    const ada = bff.browser();
    await ada.openTicket();
    const cookie = ada.cookie;
    expect((await ada.request('DELETE', paths.session)).data.customer).toBeNull();
    expect(ada.cookie).toBe('');
    ada.cookie = cookie;
    expect((await ada.get(paths.tickets)).error.code).toBe('unauthenticated');
  });
});

describe('the gate', () => {
  const sent = async (headers: Record<string, string>) =>
    (await bff.app.request(paths.session, { headers })).status;

  it.each<[string, Record<string, string>, number]>([
    ['the frame', { 'Sec-Fetch-Site': 'same-origin', [gateHeader]: '1' }, 200],
    ['an old browser by its origin', { Origin: 'https://support.test', [gateHeader]: '1' }, 200],
    ['no header', { 'Sec-Fetch-Site': 'same-origin' }, 403],
    ['a sister site', { 'Sec-Fetch-Site': 'same-site', [gateHeader]: '1' }, 403],
    [
      'a foreign site',
      { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://support.test', [gateHeader]: '1' },
      403,
    ],
    ['a foreign origin', { Origin: 'https://shop.test', [gateHeader]: '1' }, 403],
    ['neither word', { [gateHeader]: '1' }, 403],
    ['a typed address', { 'Sec-Fetch-Site': 'none', [gateHeader]: '1' }, 403],
  ])('answers %s as expected', async (_, headers, status) => {
    expect(await sent(headers)).toBe(status);
  });
});

it('a write without a valid key is refused', async () => {
  const ada = bff.browser();
  for (const headers of [{}, { [idempotencyHeader]: 'x' }]) {
    const { status, error } = await ada.request('POST', paths.tickets, ticketBody, headers);
    expect([status, error.code]).toEqual([400, 'invalid_request']);
  }
  expect(bff.service.calls).toHaveLength(0);
});
