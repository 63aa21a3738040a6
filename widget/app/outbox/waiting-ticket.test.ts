import { describe, expect, it, vi } from 'vitest';
import type { Message } from '../../../shared/contract/tickets.ts';
import type { Api } from '../api/client.ts';
import { aMessage, aThread, aTicket, fakeModels, http, newStore, offline, settle } from '../testing/fakes.ts';
import { ok } from '../testing/customers.ts';
import { refused, waiting } from '../testing/tickets.ts';
import { returning, shown, submitForm, submitReply } from '../testing/steps.ts';

const ownMessage = (key: string, body: string, more: Partial<Message> = {}) =>
  aMessage({
    id: null,
    key,
    body,
    state: 'accepted',
    created_at: `2026-11-21T12:00:0${key.at(-1)}Z`,
    ...more,
  });
const opening = ownMessage('key-1', 'Where is it?');
const reply = ownMessage('key-2', 'One more thing');

/** A conversation as the BFF knows it without the service. */
const unread = (messages: Message[], more: Parameters<typeof aThread>[1] = {}) =>
  aThread(messages, { ...waiting, read_at: null, ...more });

describe('a ticket that waits', () => {
  it('lets its replies be sent at once, and stores them until the BFF shows them', async () => {
    const storage = newStore();
    const ticket = vi.fn<Api['ticket']>(async () => offline);
    const sent = vi.fn<Api['reply']>(() => ok(reply));
    const fake = fakeModels({ storage, calls: { createTicket: () => ok(waiting), ticket, reply: sent } });
    await settle();
    submitForm(fake);
    await settle();
    submitReply(fake, 'key-1', 'One more thing');
    await settle();
    expect(sent).toHaveBeenCalledExactlyOnceWith('key-1', 'key-2', { body: 'One more thing' }, null);
    expect(shown(fake)).toEqual(['Where is it?: accepted', 'One more thing: accepted']);
    expect(fake.models.outbox.isOnlyHere.value).toBe(false);
    expect(storage.names('send:')).toEqual(['send:key-1', 'send:key-2']);

    ticket.mockImplementation(() => ok(unread([opening, reply])));
    await fake.models.refresh();
    await settle();
    expect(shown(fake)).toEqual(['Where is it?: accepted', 'One more thing: accepted']);
    expect(storage.names('send:')).toEqual([]);
  });

  it('shows its whole text and its replies in another browser', async () => {
    const text = 'Where is it? '.repeat(100);
    const ticket = vi.fn<Api['ticket']>(() => ok(unread([{ ...opening, body: text }, reply])));
    const fake = await returning({ calls: { ticket } }, [waiting]);
    fake.models.view.go({ name: 'thread', ref: 'key-1' });
    await settle();
    expect(ticket).toHaveBeenCalledExactlyOnceWith('key-1');
    expect(shown(fake)).toEqual([`${text}: accepted`, 'One more thing: accepted']);
  });

  it('shows what another tab has added', async () => {
    const ticket = vi.fn<Api['ticket']>(() => ok(unread([opening])));
    const fake = await returning({ calls: { ticket } }, [waiting]);
    fake.models.view.go({ name: 'thread', ref: 'key-1' });
    await settle();
    ticket.mockImplementation(() => ok(unread([opening, reply])));
    const operation = { key: 'key-2', kind: 'message', state: 'accepted', can_retry: false } as const;
    await fake.push({ name: 'operation', data: { ...operation, ticket_id: null, message_id: null } });
    expect(shown(fake)).toEqual(['Where is it?: accepted', 'One more thing: accepted']);
  });

  it('is shown as sent before it has an id, and gets that from a later read', async () => {
    const ticket = vi.fn<Api['ticket']>(() =>
      ok(unread([{ ...opening, state: 'sending' }], { state: 'sending' })),
    );
    const createTicket = () => ok({ ...waiting, state: 'done' as const });
    const fake = fakeModels({ calls: { createTicket, ticket } });
    await settle();
    submitForm(fake);
    await settle();
    expect(shown(fake)).toEqual(['Where is it?: done']);
    ticket.mockImplementation(() => ok(aThread([{ ...opening, id: 'd', state: 'done' }], { key: 'key-1' })));
    await fake.models.refresh();
    await settle();
    expect(fake.models.viewedId.value).toBe('t1');
    expect(shown(fake)).toEqual(['Where is it?: done']);
  });

  it('keeps its messages on screen when its id arrives', async () => {
    let read = (_: unknown) => {};
    const ticket = vi.fn<Api['ticket']>(() => ok(unread([opening, reply])));
    const fake = await returning({ calls: { ticket } }, [waiting]);
    fake.models.view.go({ name: 'thread', ref: 'key-1' });
    await settle();
    ticket.mockImplementation(() => new Promise((resolve) => (read = resolve as never)));
    await fake.push({ name: 'ticket', data: aTicket({ key: 'key-1' }) });
    expect(ticket).toHaveBeenLastCalledWith('t1');
    expect(shown(fake)).toEqual(['Where is it?: done', 'One more thing: accepted']);
    const messages = [
      aMessage({ ...opening, id: 'd', state: 'done' }),
      aMessage({ ...reply, id: 'm2', state: 'done' }),
    ];
    read({ ok: true, value: aThread(messages, { key: 'key-1' }) });
    await settle();
    expect(shown(fake)).toEqual(['Where is it?: done', 'One more thing: done']);
  });

  it('stays sent when an older answer comes after the event [live-17]', async () => {
    let answer = (_: unknown) => {};
    const createTicket = () => new Promise<never>((resolve) => (answer = resolve as never));
    const fake = await returning({ calls: { createTicket } }, []);
    submitForm(fake);
    await settle();
    await fake.push({ name: 'ticket', data: aTicket({ key: 'key-1' }) });
    answer({ ok: true, value: waiting });
    await settle();
    expect(fake.models.list.value).toMatchObject([{ id: 't1', state: 'done' }]);
  });
});

describe('a ticket that was refused', () => {
  const messages = [
    { ...opening, state: 'rejected' as const, error: 'invalid_request' as const },
    { ...reply, state: 'rejected' as const, error: 'not_found' as const },
  ];

  it('can be started over with all its texts, also in another browser', async () => {
    const fake = await returning({ calls: { ticket: () => ok(unread(messages, refused)) } }, [refused]);
    fake.models.view.go({ name: 'thread', ref: 'key-1' });
    await settle();
    expect(shown(fake)).toEqual(['Where is it?: rejected', 'One more thing: rejected']);
    fake.models.sending.startOver();
    expect(fake.models.newTicket.fields.value).toMatchObject({
      subject: 'My order',
      description: 'Where is it?\n\nOne more thing',
      customer_email: 'ana@example.com',
    });
    expect(fake.models.view.current.value.name).toBe('new');
  });

  it('can be started over with the texts in this browser, when the BFF cannot be reached', async () => {
    const storage = newStore();
    const calls = { createTicket: () => ok(waiting), reply: () => ok(reply) };
    const fake = fakeModels({ storage, calls });
    await settle();
    submitForm(fake);
    await settle();
    submitReply(fake, 'key-1', 'One more thing');
    await settle();
    await fake.push({ name: 'ticket', data: refused });
    expect(shown(fake)[0]).toBe('Where is it?: rejected');
    fake.models.sending.startOver();
    expect(fake.models.newTicket.fields.value.description).toBe('Where is it?\n\nOne more thing');
    expect(storage.names('send:')).toEqual([]);
  });
});

describe('a conversation that cannot be read', () => {
  const own = aMessage({ id: 'm3', key: 'key-3', body: 'Thanks', created_at: '2026-11-21T12:00:00Z' });
  const answer = aMessage({
    id: 'm2',
    author_type: 'agent',
    body: 'On its way',
    created_at: '2026-11-21T11:00:00Z',
  });
  const partial = aThread([own], { read_at: null });

  it('keeps the messages that were read before, and new ones are not marked as read', async () => {
    const markRead = vi.fn<Api['markRead']>(() => ok(aTicket({ unread: 1 })));
    const ticket = vi.fn<Api['ticket']>(() => ok(partial));
    const fake = await returning({ calls: { ticket, markRead } }, [aTicket({ unread: 1 })]);
    const thread = aThread([aMessage(), answer]);
    await fake.push({
      name: 'sync',
      data: { session: fake.models.session.current.value!, tickets: [aTicket({ unread: 1 })], thread },
    });
    fake.models.view.go({ name: 'thread', ref: 't1' });
    await settle();
    expect(shown(fake)).toEqual(['Where is my order?: done', 'On its way: done', 'Thanks: done']);
    // The messages that were on screen before are marked as read.
    expect(markRead).toHaveBeenCalledExactlyOnceWith('t1', 'm2');
  });

  it('is read as soon as the service is back, and then marked as read', async () => {
    const markRead = vi.fn<Api['markRead']>(() => ok(aTicket()));
    const ticket = vi.fn<Api['ticket']>(() => ok(partial));
    const fake = await returning({ calls: { ticket, markRead } }, [aTicket({ unread: 1 })]);
    fake.models.view.go({ name: 'thread', ref: 't1' });
    await settle();
    await fake.push({ name: 'freshness', data: { fresh: false } });
    expect(ticket).toHaveBeenCalledOnce();
    ticket.mockImplementation(() => ok(aThread([aMessage(), answer, own])));
    await fake.push({ name: 'freshness', data: { fresh: true } });
    await settle();
    expect(shown(fake)).toEqual(['Where is my order?: done', 'On its way: done', 'Thanks: done']);
    expect(markRead).toHaveBeenCalledExactlyOnceWith('t1', 'm2');
  });
});

describe('a reply that was refused while the customer was away', () => {
  it('starts a new ticket without the delivered texts if its conversation has moved', async () => {
    const gone = ownMessage('key-2', 'Lost', { state: 'rejected', error: 'conversation_merged' });
    const calls = {
      ticket: () => ok(aThread([aMessage(), gone], { closed: true })),
      reply: async () => http('conversation_merged'),
    };
    const fake = await returning({ calls });
    fake.models.view.go({ name: 'thread', ref: 't1' });
    await settle();
    submitReply(fake, 't1', 'Still here?');
    await settle();
    fake.models.sending.startOver();
    expect(fake.models.newTicket.fields.value.description).toBe('Lost\n\nStill here?');
  });
});
