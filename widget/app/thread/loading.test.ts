import { describe, expect, it, vi } from 'vitest';
import type { Api } from '../api/client.ts';
import type { ServerEvent } from '../api/shapes.ts';
import { fakeBrowser } from '../testing/fake-browser.ts';
import { aMessage, aSession, aThread, aTicket, newStore, offline, settle } from '../testing/fakes.ts';
import { ok } from '../testing/customers.ts';
import { returning, shown, submitForm } from '../testing/steps.ts';

const answer = (id: string, minute: number) =>
  aMessage({ id, author_type: 'agent', body: id, created_at: `2026-11-21T11:0${minute}:00Z` });
const sync = (thread: ReturnType<typeof aThread>): ServerEvent => ({
  name: 'sync',
  data: { session: aSession(), tickets: [aTicket()], thread },
});

describe('a conversation that comes on screen', () => {
  it('is read once, and the stream then follows it from its newest answer', async () => {
    let read = (_: unknown) => {};
    const ticket = vi.fn<Api['ticket']>(() => new Promise((resolve) => (read = resolve as never)));
    const { models, threads, afters, push } = await returning({ calls: { ticket } });
    models.view.go({ name: 'thread', ref: 't1' });
    await settle();
    expect(threads).toEqual([null]);
    read(await ok(aThread([aMessage(), answer('a1', 1)])));
    await settle();
    expect([threads, afters]).toEqual([
      [null, 't1'],
      [null, 'a1'],
    ]);
    await push(sync(aThread([answer('a2', 2)], { after: 'a1', has_earlier: true })));
    expect(models.tickets.thread('t1')!.messages.map(({ id }) => id)).toEqual(['m1', 'a1', 'a2']);
    expect(ticket).toHaveBeenCalledOnce();
  });

  it('arrives by the stream when it cannot be read', async () => {
    const fake = await returning({ calls: { ticket: async () => offline } });
    fake.models.view.go({ name: 'thread', ref: 't1' });
    await settle();
    expect(fake.afters).toEqual([null, null]);
    await fake.push(sync(aThread()));
    expect(shown(fake)).toEqual(['Where is my order?: done']);
  });

  it('is read again when messages are missing before those of the stream [live-9]', async () => {
    const ticket = vi.fn<Api['ticket']>(() => ok(aThread()));
    const fake = await returning({ calls: { ticket } });
    fake.models.view.go({ name: 'thread', ref: 't1' });
    await settle();
    await fake.push(sync(aThread([answer('a9', 9)], { after: 'a8', has_earlier: true })));
    expect(ticket).toHaveBeenCalledTimes(2);
  });
});

it('a tab that was away gets the missed messages of a conversation before new ones', async () => {
  const { join } = fakeBrowser();
  const storage = newStore();
  async function openTab(...messages: ReturnType<typeof answer>[]) {
    const fake = await returning({ storage, join, calls: { ticket: () => ok(aThread(messages)) } });
    fake.models.view.go({ name: 'thread', ref: 't1' });
    await settle();
    return fake;
  }
  const away = await openTab(answer('a1', 1));
  away.models.setVisible(false);
  await away.clock.advance(60_000);
  const leading = await openTab(answer('a1', 1), answer('a2', 2));
  await away.clock.advance(180_000);
  await leading.push({ name: 'message', data: { ticket_id: 't1', message: answer('a3', 3) } });
  const heard = away.models.tickets.thread('t1')!.messages.map(({ id }) => id);
  expect(heard).toEqual(['a1', 'a2', 'a3']);
});

it('a list that was requested before a ticket was created does not drop it', async () => {
  let list = (_: unknown) => {};
  const tickets = () => new Promise<never>((resolve) => (list = resolve as never));
  const { models, push } = await returning({ calls: { tickets } });
  void models.refresh();
  await settle();
  await push({ name: 'ticket', data: aTicket({ id: 't2' }) });
  list(await ok([aTicket()]));
  await settle();
  expect(models.list.value).toHaveLength(2);
});

it('a text of the customer that was delivered long ago is on its earlier page, not at the end', async () => {
  const ticket = vi.fn<Api['ticket']>(async () => offline);
  const created = aTicket({ key: 'key-1' });
  const fake = await returning({ calls: { ticket, createTicket: () => ok(created) } }, []);
  submitForm(fake);
  await settle();
  expect(shown(fake)).toEqual(['Where is it?: done']);
  const newest = aMessage({ id: 'a9', author_type: 'agent', body: 'Hi', created_at: '2026-11-21T13:00:00Z' });
  ticket.mockImplementation(() => ok(aThread([newest], { key: 'key-1', has_earlier: true })));
  await fake.models.refresh();
  expect(shown(fake)).toEqual(['Hi: done']);
});

describe('earlier messages', () => {
  async function opened(earlier: Api['ticket']) {
    const first = aThread([answer('a5', 5)], { has_earlier: true });
    const ticket: Api['ticket'] = (id, before) => (before ? earlier(id, before) : ok(first));
    const fake = await returning({ calls: { ticket } });
    fake.models.view.go({ name: 'thread', ref: 't1' });
    await settle();
    return fake.models;
  }

  it('are requested before the oldest known message', async () => {
    const earlier = vi.fn<Api['ticket']>(() => ok(aThread([answer('a4', 4)], { before: 'a5' })));
    const models = await opened(earlier);
    expect(await models.loadEarlier()).toBe(true);
    expect(earlier).toHaveBeenCalledExactlyOnceWith('t1', 'a5');
    expect(models.tickets.thread('t1')!.messages.map(({ id }) => id)).toEqual(['a4', 'a5']);
  });

  it('are requested before the next message when the oldest one was removed at the service', async () => {
    const newest = () => ok(aThread([answer('a5', 5), answer('a6', 6)], { has_earlier: true }));
    const ticket: Api['ticket'] = (_id, before) =>
      before === 'a5' ? ok(aThread([answer('a4', 4)], { before })) : newest();
    const { models } = await returning({ calls: { ticket } });
    models.view.go({ name: 'thread', ref: 't1' });
    await settle();
    models.tickets.putThread(aThread([answer('gone', 3)], { before: 'a5', has_earlier: true }));
    expect(await models.loadEarlier()).toBe(true);
    expect(models.tickets.thread('t1')!.messages.map(({ id }) => id)).toContain('a4');
  });

  it.each([
    ['there is no answer', async () => offline],
    ['the server knows no such message, and gives the newest', () => ok(aThread([answer('a5', 5)]))],
    ['the service cannot be read', () => ok(aThread([], { before: 'a5', read_at: null }))],
  ] satisfies [string, Api['ticket']][])('cannot be loaded when %s', async (_why, earlier) => {
    expect(await (await opened(earlier)).loadEarlier()).toBe(false);
  });
});
