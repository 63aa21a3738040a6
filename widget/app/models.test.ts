import { describe, expect, it, vi } from 'vitest';
import type { Api } from './api/client.ts';
import {
  aMessage,
  aSession,
  aThread,
  aTicket,
  fakeStorage,
  fakeModels,
  http,
  newStore,
  offline,
  settle,
} from './testing/fakes.ts';
import { ok } from './testing/customers.ts';
import { returning, shown, submitForm, submitReply } from './testing/steps.ts';

const answer = aMessage({
  id: 'm2',
  author_type: 'agent',
  body: 'On its way',
  created_at: '2026-11-21T11:00:00Z',
});

describe('starting the app', () => {
  it('sends nothing until the page has identified its customer, and then uses their session', async () => {
    const createTicket = vi.fn<Api['createTicket']>(async (key) => ({ ok: true, value: aTicket({ key }) }));
    const customer = { email: 'ana@example.com', name: 'Ana', verified: true, owner: 'ana' };
    const identify = vi.fn<Api['identify']>(() => ok({ ...aSession(), customer }));
    const fake = fakeModels({ calls: { createTicket, identify }, isExpected: true });
    submitForm(fake);
    await settle();
    expect(createTicket).not.toHaveBeenCalled();
    void fake.models.customer.identity.identify('token');
    await settle();
    expect(identify).toHaveBeenCalledOnce();
    expect(fake.models.session.owner.peek()).toBe('ana');
    expect(createTicket).toHaveBeenCalledOnce();
  });

  it('sends a form without an address, once the page has identified its customer', async () => {
    const createTicket = vi.fn<Api['createTicket']>(async (key) => ({ ok: true, value: aTicket({ key }) }));
    const customer = { email: 'ana@example.com', name: 'Ana', verified: true, owner: 'ana' };
    const fake = fakeModels({
      calls: { createTicket, identify: () => ok({ ...aSession(), customer }) },
      isExpected: true,
    });
    const { newTicket, sending, customer: signingIn } = fake.models;
    newTicket.set('description', 'Where is it?');
    sending.submitTicket();
    expect([sending.waitsForAddress.value, newTicket.errors.value]).toEqual([true, {}]);
    void signingIn.identity.identify('token');
    await settle();
    expect(sending.waitsForAddress.value).toBe(false);
    expect(createTicket.mock.calls.map(([, ticket]) => ticket.customer_email)).toEqual(['ana@example.com']);
  });

  it('asks for the address of a form that was sent, when nobody is signed in', async () => {
    const fake = fakeModels({ calls: { session: () => ok(aSession(false)) }, isExpected: true });
    const { newTicket, sending, customer } = fake.models;
    newTicket.set('description', 'Where is it?');
    sending.submitTicket();
    void customer.identity.giveUp();
    await settle();
    expect(newTicket.errors.value).toEqual({ customer_email: 'required' });
  });

  it('sends a form once that waited for the address, when the customer has typed one', async () => {
    const createTicket = vi.fn<Api['createTicket']>(async (key) => ({ ok: true, value: aTicket({ key }) }));
    const fake = fakeModels({
      calls: { createTicket, session: () => ok(aSession(false)) },
      isExpected: true,
    });
    const { newTicket, sending, customer } = fake.models;
    newTicket.set('description', 'Where is it?');
    sending.submitTicket();
    newTicket.set('customer_email', 'ana@example.com');
    sending.submitTicket();
    void customer.identity.giveUp();
    await settle();
    expect(createTicket).toHaveBeenCalledOnce();
    expect(newTicket.errors.value).toEqual({});
  });

  it('for a new visitor reads the session once, opens no stream and shows the form', async () => {
    const session = vi.fn<Api['session']>(async () => ({ ok: true as const, value: aSession(false) }));
    const { models, threads } = fakeModels({ calls: { session } });
    await settle();
    expect(session).toHaveBeenCalledOnce();
    expect(threads).toEqual([]);
    expect(models.home.value).toBe('form');
  });

  it('for a known customer opens only the stream, and shows what it sends', async () => {
    const session = vi.fn<Api['session']>(async () => offline);
    const { models, threads, push } = await returning({ calls: { session } }, []);
    expect(session).not.toHaveBeenCalled();
    expect(threads).toEqual([null]);
    expect(models.home.value).toBe('form');
    await push({ name: 'ticket', data: aTicket() });
    expect(models.home.value).toBe('tickets');
  });

  it('in a tab without a session takes over the session that another tab gets', async () => {
    const storage = newStore();
    const session = vi.fn<Api['session']>(async () => ({ ok: true as const, value: aSession(false) }));
    const { models, threads } = fakeModels({ storage, calls: { session } });
    await settle();
    session.mockResolvedValue({ ok: true, value: aSession() });
    storage.write('used', true);
    models.onOtherTab();
    await settle();
    expect(threads).toEqual([null]);
  });

  it('with an ended session falls back to the form', async () => {
    const storage = newStore();
    storage.write('used', true);
    const events = async () => http('unauthenticated').error;
    const { models } = fakeModels({ storage, calls: { events } });
    expect(models.home.value).toBe('loading');
    await settle();
    expect(models.home.value).toBe('form');
    expect(storage.read('used')).toBeNull();
  });

  it('fills in name and address for a known customer', async () => {
    const { models } = await returning();
    expect(models.newTicket.fields.value).toMatchObject({
      customer_name: 'Ana',
      customer_email: 'ana@example.com',
    });
  });

  it('behind a closed panel loads the unread count, and keeps the stream only for a customer with tickets', async () => {
    const some = await returning({ isEmbedded: true }, [aTicket({ unread: 1 })]);
    expect(some.models.unread.value).toBe(1);
    expect(some.isStreaming()).toBe(true);
    const none = await returning({ isEmbedded: true }, []);
    expect(none.isStreaming()).toBe(false);
    none.models.isOpen.value = true;
    await settle();
    expect(none.isStreaming()).toBe(true);
  });
});

describe('a new ticket', () => {
  it('is on screen at once, survives a reload, and is then replaced by the server’s ticket', async () => {
    const waiting = aTicket({ id: null, key: 'key-1', ticket_number: null, state: 'accepted' });
    const storage = newStore();
    const fake = fakeModels({
      storage,
      calls: { createTicket: async () => ({ ok: true, value: waiting }) },
    });
    await settle();
    submitForm(fake);
    expect(shown(fake)).toEqual(['Where is it?: sending']);
    expect(fake.models.newTicket.fields.value.subject).toBe('');
    await settle();
    expect(shown(fake)).toEqual(['Where is it?: accepted']);
    expect(fake.events).toEqual([{ name: 'ticket-created', detail: { ticket_id: null } }]);

    const later = fakeModels({ storage });
    await later.push({ name: 'sync', data: { session: aSession(), tickets: [waiting], thread: null } });
    later.models.view.go({ name: 'thread', ref: 'key-1' });
    expect(shown(later)).toEqual(['Where is it?: accepted']);
    await later.push({ name: 'ticket', data: aTicket({ id: 't9', key: 'key-1' }) });
    expect(shown(later)).toEqual(['Where is it?: done']);
    expect(later.threads.at(-1)).toBe('t9');
    expect(later.models.list.value).toHaveLength(1);
  });

  it('is stored in the space that its cleared draft leaves, when storage is full', async () => {
    const raw = fakeStorage({ room: 600 });
    const fake = fakeModels({ storage: newStore(raw) });
    await settle();
    fake.models.newTicket.set('customer_name', 'A'.repeat(100));
    await fake.clock.advance(1000);
    expect(Object.keys(raw)).toEqual(['deskside:v1:draft:new']);
    submitForm(fake);
    fake.models.drafts.flush();
    expect(Object.keys(raw)).toEqual(['deskside:v1:send:key-1']);
    expect(fake.models.outbox.isUnstored.value).toBe(false);
  });

  it('that is refused goes back to the form with its errors and its replies', async () => {
    let refuse = (_: unknown) => {};
    const createTicket = () => new Promise<never>((resolve) => (refuse = resolve as never));
    const fake = fakeModels({ calls: { createTicket } });
    await settle();
    submitForm(fake);
    submitReply(fake, 'key-1', 'One more thing');
    await settle();
    refuse(http('invalid_request', { fields: { customer_email: 'invalid' } }));
    await settle();
    const { view, newTicket, outbox } = fake.models;
    expect(view.current.value.name).toBe('new');
    expect(newTicket.fields.value).toMatchObject({
      customer_email: 'ana@example.com',
      subject: 'My order',
      description: 'Where is it?\n\nOne more thing',
    });
    expect(newTicket.errors.value).toEqual({ customer_email: 'invalid' });
    expect(outbox.sends.value).toEqual([]);
  });
});

describe('a reply', () => {
  it('is shown once, whichever of answer and event comes first', async () => {
    const accepted = aMessage({ id: 'm3', key: 'key-1', body: 'Thanks', created_at: '2026-11-21T11:30:00Z' });
    let reply = (_: unknown) => {};
    const fake = await returning({
      calls: {
        ticket: async () => ({ ok: true, value: aThread() }),
        reply: () => new Promise<never>((resolve) => (reply = resolve as never)),
      },
    });
    fake.models.view.go({ name: 'thread', ref: 't1' });
    await settle();
    submitReply(fake, 't1', 'Thanks');
    await settle();
    expect(shown(fake)).toEqual(['Where is my order?: done', 'Thanks: sending']);
    await fake.push({ name: 'message', data: { ticket_id: 't1', message: accepted } });
    reply({ ok: true, value: accepted });
    await settle();
    expect(shown(fake)).toEqual(['Where is my order?: done', 'Thanks: done']);
    expect(fake.events).toContainEqual({ name: 'message-sent', detail: { ticket_id: 't1' } });
  });

  it('is sent by another tab after the tab that stored it was closed', async () => {
    const storage = newStore();
    const reply = vi.fn<Api['reply']>(async () => offline);
    const alive = await returning({ storage, calls: { reply } });
    fakeModels({ storage, lock: () => new Promise<never>(() => {}) }).models.outbox.addMessage(
      { id: 't1', key: null },
      { body: 'Precious' },
    );
    alive.models.onOtherTab();
    await settle();
    expect(reply).toHaveBeenCalledExactlyOnceWith('t1', 'key-1', { body: 'Precious' }, null);
  });

  it('to a conversation that has moved begins a new ticket with all unsent texts', async () => {
    const fake = await returning({
      calls: {
        ticket: async () => ({ ok: true, value: aThread() }),
        reply: async () => http('conversation_merged'),
      },
    });
    fake.models.view.go({ name: 'thread', ref: 't1' });
    await settle();
    submitReply(fake, 't1', 'First');
    await settle();
    fake.models.drafts.write('t1', 'Second');
    fake.models.sending.startOver();
    expect(fake.models.newTicket.fields.value).toMatchObject({
      subject: 'My order',
      description: 'First\n\nSecond',
    });
    expect(fake.models.outbox.sends.value).toEqual([]);
    expect(fake.models.drafts.reply('t1').value).toBe('');
  });
});

it.each(['k1', 't1'])(
  'a conversation that the list has dropped, opened as %s, is not on screen',
  async (ref) => {
    const ticket = aTicket({ key: 'k1' });
    const calls = {
      ticket: async () => ({ ok: true as const, value: aThread([aMessage()], { key: 'k1' }) }),
    };
    const fake = await returning({ calls }, [ticket]);
    fake.models.view.go({ name: 'thread', ref });
    await settle();
    expect(shown(fake)).toHaveLength(1);
    await fake.push({ name: 'sync', data: { session: aSession(), tickets: [], thread: null } });
    expect(fake.models.viewed.value).toBeNull();
  },
);

it('a conversation is read once, even if the stream reports meanwhile that it can be read', async () => {
  const ticket = vi.fn<Api['ticket']>(() => new Promise(() => {}));
  const fake = await returning({ calls: { ticket } });
  fake.models.view.go({ name: 'thread', ref: 't1' });
  await settle();
  await fake.push({ name: 'freshness', data: { fresh: true } });
  expect(ticket).toHaveBeenCalledOnce();
});

describe('an agent’s answer', () => {
  it('is announced once, on screen or in another ticket; earlier answers are not', async () => {
    const fake = await returning({ calls: { ticket: async () => ({ ok: true, value: aThread() }) } });
    fake.models.view.go({ name: 'thread', ref: 't1' });
    await settle();
    expect(fake.events).toEqual([]);
    await fake.push({ name: 'ticket', data: aTicket({ unread: 1 }) });
    for (let time = 0; time < 2; time += 1)
      await fake.push({ name: 'message', data: { ticket_id: 't1', message: answer } });
    const thread = aThread([aMessage(), answer]);
    await fake.push({ name: 'sync', data: { session: aSession(), tickets: [aTicket()], thread } });
    expect(fake.events).toEqual([{ name: 'message-received', detail: { ticket_id: 't1' } }]);
    expect(fake.models.tickets.arrivedElsewhere.value).toBeNull();
    expect(fake.models.tickets.arrivedHere.value).toMatchObject({ id: 't1' });
  });

  it('is reported at once while the panel is closed on its conversation', async () => {
    const fake = await returning();
    fake.models.view.go({ name: 'thread', ref: 't1' });
    fake.models.isOpen.value = false;
    await settle();
    await fake.push({ name: 'ticket', data: aTicket({ unread: 1 }) });
    expect(fake.events).toEqual([{ name: 'message-received', detail: { ticket_id: 't1' } }]);
  });

  it('in another ticket is recognized by its unread count', async () => {
    const fake = await returning({}, [aTicket(), aTicket({ id: 't2' })]);
    await fake.push({ name: 'ticket', data: aTicket({ id: 't2', unread: 2, subject: 'Other' }) });
    expect(fake.models.unread.value).toBe(2);
    expect(fake.models.tickets.arrivedElsewhere.value).toMatchObject({ subject: 'Other' });
  });
});

describe('the stream', () => {
  it('is closed when the page was hidden for long, and opened again on return', async () => {
    const { models, threads, clock } = await returning();
    models.setVisible(false);
    await clock.advance(59_000);
    models.setVisible(true);
    models.setVisible(false);
    await clock.advance(61_000);
    expect(threads).toHaveLength(1);
    models.setVisible(true);
    await settle();
    expect(threads).toHaveLength(2);
  });

  it('is opened for a short time by a hidden page, after longer and longer pauses', async () => {
    const { models, threads, clock } = await returning();
    models.setVisible(false);
    await clock.advance(60_000);
    for (const minutes of [3, 6, 12, 24, 48, 60, 60]) {
      const before = threads.length;
      await clock.advance(minutes * 60_000 - 1);
      expect(threads).toHaveLength(before);
      await clock.advance(1);
      expect(threads).toHaveLength(before + 1);
      expect(models.live.isLeading()).toBe(true);
      await clock.advance(20_000);
      expect(models.live.isLeading()).toBe(false);
    }
    models.leave();
    const before = threads.length;
    await clock.advance(7_200_000);
    expect(threads).toHaveLength(before);
  });

  it('reports when the service cannot be read, and when the session ends', async () => {
    const { models, push } = await returning();
    await push({ name: 'freshness', data: { fresh: false } });
    expect(models.isFresh.value).toBe(false);
    await push({ name: 'session', data: aSession(false) });
    expect(models.home.value).toBe('form');
  });

  it('causes no requests when the state of a send changes: ticket and message come by the stream', async () => {
    const tickets = vi.fn<Api['tickets']>();
    const { models, push } = await returning({ calls: { tickets } });
    const sent = aMessage({ id: 'm', key: 'k', body: 'On its way' });
    await push({
      name: 'operation',
      data: { key: 'k', kind: 'message', state: 'done', ticket_id: 't1', message_id: 'm', can_retry: false },
    });
    await push({ name: 'message', data: { ticket_id: 't1', message: sent } });
    expect(tickets).not.toHaveBeenCalled();
    expect(models.list.value).toHaveLength(1);
  });
});

it('a reply that shows nothing is not sent', async () => {
  const reply = vi.fn<Api['reply']>(async () => offline);
  const fake = await returning({ calls: { reply } });
  fake.models.view.go({ name: 'thread', ref: 't1' });
  submitReply(fake, 't1', '\u200b \u2060');
  await settle();
  expect(reply).not.toHaveBeenCalled();
});

describe('what another tab has sent', () => {
  it('is no draft in this tab any more, whose address stays filled in', async () => {
    const storage = newStore();
    const here = await returning({ storage });
    const there = await returning({ storage });
    const { newTicket, drafts } = here.models;
    newTicket.set('description', 'Where is it?');
    drafts.reply('t1');
    drafts.write('t1', 'One more thing');
    drafts.flush();
    there.models.onOtherTab();
    expect(there.models.newTicket.fields.value.description).toBe('Where is it?');
    submitForm(there);
    there.models.view.go({ name: 'thread', ref: 't1' });
    submitReply(there, 't1', there.models.drafts.reply('t1').value);
    here.models.onOtherTab();
    expect(newTicket.fields.value).toMatchObject({ description: '', customer_email: 'ana@example.com' });
    expect(drafts.reply('t1').value).toBe('');
  });
});
