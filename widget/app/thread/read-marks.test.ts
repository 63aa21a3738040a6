import { describe, expect, it, vi } from 'vitest';
import type { Api } from '../api/client.ts';
import { aMessage, aThread, aTicket, settle } from '../testing/fakes.ts';
import { ok } from '../testing/customers.ts';
import { returning, submitReply } from '../testing/steps.ts';

const anAnswer = (id: string, created_at = '2026-11-21T11:00:00Z') =>
  aMessage({ id, author_type: 'agent', body: id, created_at });
const marks = () =>
  vi.fn<Api['markRead']>((_id, messageId) => ok(aTicket({ unread: messageId === 'a2' ? 0 : 1 })));

describe('an agent’s answer', () => {
  it('is marked as read when its end is in view, the page visible and the panel open', async () => {
    const markRead = marks();
    const calls = { markRead, ticket: () => ok(aThread([aMessage(), anAnswer('a2')])) };
    const { models, push } = await returning({ calls }, [aTicket({ unread: 1 })]);
    models.setVisible(false);
    models.view.go({ name: 'thread', ref: 't1' });
    await settle();
    expect(markRead).not.toHaveBeenCalled();
    models.setVisible(true);
    await settle();
    expect(markRead).toHaveBeenCalledExactlyOnceWith('t1', 'a2');
    expect(models.unread.value).toBe(0);
    models.isAtEnd.value = false;
    await push({ name: 'ticket', data: aTicket({ unread: 1 }) });
    expect(markRead).toHaveBeenCalledOnce();
  });

  it('stays unread while only an older part of the conversation is on screen', async () => {
    const markRead = marks();
    const calls = { markRead, ticket: () => ok(aThread([aMessage(), anAnswer('a1')])) };
    const { models, push } = await returning({ calls }, [aTicket({ unread: 2 })]);
    models.view.go({ name: 'thread', ref: 't1' });
    await settle();
    expect(markRead).toHaveBeenLastCalledWith('t1', 'a1');
    expect(models.unread.value).toBe(1);
    const message = anAnswer('a2', '2026-11-21T11:30:00Z');
    await push({ name: 'message', data: { ticket_id: 't1', message } });
    expect(markRead).toHaveBeenLastCalledWith('t1', 'a2');
    expect(models.unread.value).toBe(0);
    expect(markRead).toHaveBeenCalledTimes(2);
  });

  it('is not marked up to the customer’s own reply, which may follow an answer that is not loaded', async () => {
    const markRead = marks();
    const reply = () => ok(aMessage({ id: 'm9', key: 'key-1', created_at: '2026-11-21T12:00:01Z' }));
    const fake = await returning({ calls: { markRead, reply, ticket: () => ok(aThread()) } }, [
      aTicket({ unread: 1 }),
    ]);
    fake.models.view.go({ name: 'thread', ref: 't1' });
    await settle();
    submitReply(fake, 't1', 'Hello');
    await settle();
    expect(markRead).not.toHaveBeenCalled();
  });

  it('gets the “new” line when the customer opens the conversation, not when it arrives in view', async () => {
    const answers = [anAnswer('a1'), anAnswer('a2', '2026-11-21T11:30:00Z')];
    const calls = { markRead: marks(), ticket: () => ok(aThread([aMessage(), ...answers])) };
    const { models, push } = await returning({ calls }, [aTicket({ unread: 2 })]);
    const arrive = async (id: string, time: string) => {
      const message = anAnswer(id, `2026-11-21T${time}:00Z`);
      await push({ name: 'message', data: { ticket_id: 't1', message } });
      await push({ name: 'ticket', data: aTicket({ unread: 1 }) });
    };
    models.view.go({ name: 'thread', ref: 't1' });
    await settle();
    expect(models.firstNew.value).toBe('a1');
    expect(models.unread.value).toBe(0);
    models.view.go({ name: 'start' });
    await settle();
    models.view.go({ name: 'thread', ref: 't1' });
    await settle();
    expect(models.firstNew.value).toBeNull();
    await arrive('a3', '11:40');
    expect(models.firstNew.value).toBeNull();
    models.isAtEnd.value = false;
    await arrive('a4', '11:50');
    models.isAtEnd.value = true;
    await settle();
    expect(models.firstNew.value).toBe('a4');
  });

  it('to a ticket that gets its id while the customer has scrolled up is not marked', async () => {
    const waiting = aTicket({ id: null, key: 'key-1', state: 'accepted' });
    const markRead = marks();
    const ticket = vi.fn<Api['ticket']>(() => ok(aThread([], { ...waiting, read_at: null })));
    const { models, push } = await returning({ calls: { ticket, markRead } }, [waiting]);
    models.view.go({ name: 'thread', ref: 'key-1' });
    await settle();
    models.isAtEnd.value = false;
    ticket.mockImplementation(() => ok(aThread([aMessage(), anAnswer('a2')], { key: 'key-1' })));
    await push({ name: 'ticket', data: aTicket({ key: 'key-1', unread: 1 }) });
    expect(models.viewedId.value).toBe('t1');
    expect(markRead).not.toHaveBeenCalled();
    models.view.go({ name: 'start' });
    models.view.go({ name: 'thread', ref: 'key-1' });
    await settle();
    expect(markRead).toHaveBeenCalledExactlyOnceWith('t1', 'a2');
  });
});
