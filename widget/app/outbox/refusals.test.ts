import { describe, expect, it, vi } from 'vitest';
import type { Operation } from '../../../shared/contract/tickets.ts';
import type { Api } from '../api/client.ts';
import {
  aMessage,
  aSession,
  aThread,
  aTicket,
  fakeModels,
  http,
  newStore,
  offline,
  settle,
} from '../testing/fakes.ts';
import { asMessage } from './sends.ts';
import { ok } from '../testing/customers.ts';
import { refused, waiting } from '../testing/tickets.ts';
import { returning, shown, submitForm, submitReply } from '../testing/steps.ts';

const stored = (storage: ReturnType<typeof newStore>) =>
  JSON.stringify(storage.names('').map((name) => storage.read(name)));

describe('a ticket that is refused', () => {
  const faulty = async () => http('invalid_request', { fields: { customer_email: 'invalid' } });

  it('in a tab that does not show it opens the form in the tab that does', async () => {
    const storage = newStore();
    const front = fakeModels({ storage, calls: { createTicket: async () => offline } });
    await settle();
    submitForm(front);
    await settle();
    const back = fakeModels({ storage, calls: { createTicket: faulty } });
    back.models.outbox.wake();
    await settle();
    front.models.onOtherTab();
    await settle();
    expect(back.models.newTicket.fields.value.description).toBe('');
    expect(shown(front)).toEqual(['Where is it?: rejected']);
    front.models.sending.startOver();
    expect(front.models.newTicket.fields.value.description).toBe('Where is it?');
    expect(storage.names('send:')).toEqual([]);
  });

  it('while another view is on screen stays in the list, and can be started over with all its fields', async () => {
    let refuse = (_: unknown) => {};
    const createTicket = () => new Promise<never>((resolve) => (refuse = resolve as never));
    const fake = fakeModels({ calls: { createTicket } });
    await settle();
    submitForm(fake);
    fake.models.view.go({ name: 'start' });
    await settle();
    refuse(await faulty());
    await settle();
    expect(fake.models.list.value).toMatchObject([{ key: 'key-1', state: 'rejected' }]);
    fake.models.view.go({ name: 'thread', ref: 'key-1' });
    fake.models.sending.startOver();
    expect(fake.models.newTicket.fields.value).toMatchObject({
      customer_email: 'ana@example.com',
      subject: 'My order',
      description: 'Where is it?',
    });
  });

  it('is not listed after it was started over, though the BFF still lists it', async () => {
    const storage = newStore();
    const opening = aMessage({ id: null, key: 'key-1', state: 'rejected', error: 'invalid_request' });
    const ticket = () => ok(aThread([opening], { ...refused, read_at: null }));
    const fake = await returning({ storage, calls: { ticket } }, [refused, aTicket()]);
    expect(fake.models.list.value).toHaveLength(2);
    fake.models.view.go({ name: 'thread', ref: 'key-1' });
    await settle();
    fake.models.sending.startOver();
    expect(fake.models.newTicket.fields.value.description).toBe('Where is my order?');
    expect(fake.models.list.value).toMatchObject([{ id: 't1' }]);
    const later = await returning({ storage }, [refused, aTicket()]);
    expect(later.models.list.value).toMatchObject([{ id: 't1' }]);
  });
});

describe('a text that moves to a new ticket', () => {
  it('is in storage at every moment', async () => {
    const storage = newStore();
    const calls = { ticket: () => ok(aThread()), reply: async () => http('conversation_merged') };
    const fake = await returning({ storage, calls });
    fake.models.view.go({ name: 'thread', ref: 't1' });
    await settle();
    submitReply(fake, 't1', 'Precious');
    await settle();
    const remove = vi.spyOn(storage, 'remove').mockImplementation(() => {
      expect(storage.read('draft:new')).toMatchObject({ description: 'Precious' });
    });
    fake.models.sending.startOver();
    expect(remove).toHaveBeenCalledWith('send:key-1');
  });

  it('has a key before its draft is cleared', async () => {
    const newKey = () => {
      throw new TypeError('crypto is missing');
    };
    const fake = await returning({ newKey, calls: { ticket: () => ok(aThread()) } });
    expect(() => submitForm(fake)).toThrow('crypto is missing');
    expect(fake.models.newTicket.fields.value.description).toBe('Where is it?');
    fake.models.view.go({ name: 'thread', ref: 't1' });
    expect(() => submitReply(fake, 't1', 'Hello')).toThrow('crypto is missing');
    expect(fake.models.drafts.reply('t1').value).toBe('Hello');
  });
});

describe('a reply refused because the session is over', () => {
  const calls = { ticket: () => ok(aThread()), reply: async () => http('unauthenticated') };

  it('stays in its conversation, and moves to the form when the list drops that', async () => {
    const fake = await returning({ calls });
    fake.models.view.go({ name: 'thread', ref: 't1' });
    await settle();
    submitReply(fake, 't1', 'Precious');
    await settle();
    expect(shown(fake).at(-1)).toBe('Precious: rejected');
    await fake.push({ name: 'session', data: aSession(false) });
    const { newTicket, view, outbox } = fake.models;
    expect(newTicket.fields.value.description).toBe('Precious');
    expect(newTicket.failure.value).toBe('unauthenticated');
    expect(view.current.value.name).toBe('new');
    expect(outbox.sends.value).toEqual([]);
  });

  it('moves to the form only in a visible tab, and not while a conversation is on screen', async () => {
    const storage = newStore();
    const fake = await returning({ storage, calls }, [aTicket(), aTicket({ id: 't2' })]);
    fake.models.view.go({ name: 'thread', ref: 't2' });
    fake.models.outbox.addMessage({ id: 't1', key: null }, { body: 'Precious' });
    await fake.push({
      name: 'sync',
      data: { session: aSession(), tickets: [aTicket({ id: 't2' })], thread: null },
    });
    expect(fake.models.newTicket.fields.value.description).toBe('');
    fake.models.setVisible(false);
    fake.models.view.go({ name: 'start' });
    await settle();
    expect(fake.models.newTicket.fields.value.description).toBe('');
    fake.models.setVisible(true);
    await settle();
    expect(fake.models.newTicket.fields.value.description).toBe('Precious');
    expect(stored(storage)).toContain('Precious');
  });
});

describe('the state of a send in an event', () => {
  const operation: Operation = {
    key: 'key-1',
    kind: 'message',
    state: 'rejected',
    ticket_id: 't1',
    message_id: null,
    error: 'conversation_merged',
    can_retry: false,
  };

  it('is shown though its conversation is not loaded', async () => {
    const reply = () => ok(aMessage({ id: null, key: 'key-1', body: 'Hello', state: 'accepted' }));
    const fake = await returning({ calls: { reply } });
    fake.models.view.go({ name: 'thread', ref: 't1' });
    await settle();
    submitReply(fake, 't1', 'Hello');
    await settle();
    expect(shown(fake)).toEqual(['Hello: accepted']);
    await fake.push({ name: 'operation', data: { ...operation, error: 'invalid_request' } });
    expect(shown(fake)).toEqual(['Hello: rejected']);
    // The BFF has the text: this browser has nothing to send again.
    expect(asMessage(fake.models.outbox.find('key-1')!).can_retry).toBe(false);
  });

  it('is kept when an older answer comes later', async () => {
    let answer = (_: unknown) => {};
    const reply = vi.fn<Api['reply']>(() => new Promise((resolve) => (answer = resolve as never)));
    const fake = await returning({ calls: { reply } });
    fake.models.view.go({ name: 'thread', ref: 't1' });
    submitReply(fake, 't1', 'Hello');
    await settle();
    await fake.push({ name: 'operation', data: operation });
    answer(await ok(aMessage({ id: null, key: 'key-1', body: 'Hello', state: 'accepted' })));
    await settle();
    expect(shown(fake)).toEqual(['Hello: rejected']);
  });

  it('of a delivered ticket is kept over a reload, before the list is loaded', async () => {
    const storage = newStore();
    const fake = fakeModels({ storage, calls: { createTicket: () => ok(waiting) } });
    await settle();
    submitForm(fake);
    await settle();
    fake.models.view.go({ name: 'start' });
    await fake.push({ name: 'ticket', data: aTicket({ key: 'key-1' }) });
    const later = fakeModels({ storage });
    expect(later.models.list.value).toMatchObject([{ key: 'key-1', state: 'done' }]);
  });
});
