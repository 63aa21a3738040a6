import { request } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { heartbeatMs } from '../../../shared/contract/events.ts';
import { paths } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import { headersFor, startStreams, type TestStreams, until } from '../../testing/streams.ts';
import { StreamEvent } from './stream-event.ts';
import { Viewer } from './viewers.ts';

let bff: TestBff;
let streams: TestStreams;

beforeEach(async () => {
  bff = await startBff();
  streams = await startStreams(bff);
});
afterEach(async () => {
  await streams.stop();
  await bff.stop();
});

describe('the stream', () => {
  it('begins with everything that the screen needs [live-5]', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    const { seen } = await streams.listen(ada.cookie, ticket.id);
    expect(seen[0]).toMatchObject({
      name: 'sync',
      data: {
        session: { customer: { email: 'ada@example.com' }, unread: 0 },
        tickets: [{ id: ticket.id }],
        thread: { id: ticket.id, messages: [{ body: expect.any(String) }] },
      },
    });
  });

  it('is refused once the process ends its streams, since nothing would end it', async () => {
    const ada = bff.browser();
    await ada.openTicket();
    const stream = await streams.listen(ada.cookie);
    bff.live.stop();
    await stream.ended;
    expect((await streams.listen(ada.cookie)).status).toBe(503);
    expect(bff.live.counts().streams).toBe(0);
  });

  it('brings a conversation of several megabytes, and the answers after it', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    for (let i = 0; i < 60; i += 1) bff.service.addMessage(ticket.id, 'agent', '好'.repeat(20_000));
    const stream = await streams.listen(ada.cookie, ticket.id);
    // In the second one where the first did not wait for so long a read.
    await until(() => expect(stream.of('sync').at(-1).thread?.messages).toHaveLength(50));
    bff.service.addMessage(ticket.id, 'agent', 'On its way.');
    await until(() => expect(stream.of('message').at(-1)?.message).toMatchObject({ body: 'On its way.' }));
  });

  it('brings an answer, with the unread count, and nothing twice [live-7]', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    const stream = await streams.listen(ada.cookie, ticket.id);
    const answer = bff.service.addMessage(ticket.id, 'agent', 'On its way.');
    await until(() => expect(stream.of('message')).toHaveLength(1));
    expect(stream.of('message')[0]).toMatchObject({
      ticket_id: ticket.id,
      message: { id: answer.id, body: 'On its way.' },
    });
    await until(() => expect(stream.of('session').at(-1)).toMatchObject({ unread: 1 }));
    const reads = bff.service.calls.length;
    await until(() => expect(bff.service.calls.length).toBeGreaterThan(reads + 2));
    expect(stream.of('message')).toHaveLength(1);
    expect(stream.of('ticket')).toHaveLength(1);
  });

  it('brings the newest page again when the service has removed an answer, and only then', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    const [wrong] = ['For somebody else.', 'Sorry.'].map((text) =>
      bff.service.addMessage(ticket.id, 'agent', text),
    );
    const stream = await streams.listen(ada.cookie, ticket.id);
    await ada.post(paths.messages(ticket.id), { body: 'Thanks' });
    await until(() => expect(stream.of('message').at(-1)?.message).toMatchObject({ state: 'done' }));
    expect(stream.of('sync')).toHaveLength(1);
    const { messages } = bff.service.tickets.get(ticket.id)!;
    messages.splice(
      messages.findIndex(({ id }) => id === wrong!.id),
      1,
    );
    await until(() => expect(stream.of('sync')).toHaveLength(2));
    const bodies = stream.of('sync')[1].thread.messages.map(({ body }: { body: string }) => body);
    expect(bodies.slice(-2)).toEqual(['Sorry.', 'Thanks']);
    const reads = bff.service.calls.length;
    await until(() => expect(bff.service.calls.length).toBeGreaterThan(reads + 2));
    expect(stream.of('sync')).toHaveLength(2);
  });

  it('of the list has no messages of threads that are not on screen', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    const stream = await streams.listen(ada.cookie);
    bff.service.addMessage(ticket.id, 'agent', 'On its way.');
    await until(() => expect(stream.of('ticket')[0]).toMatchObject({ id: ticket.id, unread: 1 }));
    expect(stream.of('message')).toEqual([]);
  });

  it.each(['thread', 'list'])(
    'tells a tab with the %s on screen that a ticket is closed, once a reply was refused',
    async (screen) => {
      const ada = bff.browser();
      const { data: ticket } = await ada.openTicket();
      const stream = await streams.listen(ada.cookie, screen === 'thread' ? ticket.id : '');
      expect(stream.of('sync')[0]).toMatchObject({ tickets: [{ closed: false }] });
      bff.service.answer = ({ path }) => (path.endsWith('/messages') ? { statusCode: 409 } : undefined);
      await ada.post(paths.messages(ticket.id), { body: 'Still there?' });
      await until(() => expect(stream.of('ticket').at(-1)).toMatchObject({ id: ticket.id, closed: true }));
    },
  );

  it('tells another tab about a reply', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    const stream = await streams.listen(ada.cookie, ticket.id);
    const { data: reply } = await ada.post(paths.messages(ticket.id), { body: 'Thanks' });
    const { id, key, body } = reply;
    await until(() =>
      expect(stream.of('message').at(-1)?.message).toMatchObject({ id, key, body, state: 'done' }),
    );
    expect(stream.of('operation').at(-1)).toMatchObject({
      key: reply.key,
      state: 'done',
      message_id: reply.id,
    });
  });

  it('never carries anything of another customer, even when asked for their thread [isolation-5]', async () => {
    const ada = bff.browser();
    const eve = bff.browser();
    const { data: ticket } = await ada.openTicket();
    await eve.openTicket({ customer_email: 'eve@example.com' });
    const stream = await streams.listen(eve.cookie, ticket.id);
    expect(stream.of('sync')[0].thread).toBeNull();
    bff.service.addMessage(ticket.id, 'agent', 'For Ada only');
    const reads = bff.service.calls.length;
    await until(() => expect(bff.service.calls.length).toBeGreaterThan(reads + 3));
    expect(JSON.stringify(stream.seen)).not.toContain(ticket.id);
    expect(bff.service.calls.slice(reads).some(({ path }) => path.includes(ticket.id))).toBe(false);
  });

  it('no longer carries a ticket once the right to it is gone [isolation-6]', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    const stream = await streams.listen(ada.cookie, ticket.id);
    await bff.store.deleteFrom('grants').execute();
    bff.service.addMessage(ticket.id, 'agent', 'Too late');
    await until(() => expect(bff.live.counts().watches).toBe(0));
    expect(stream.of('message')).toEqual([]);
  });

  it('ends in every tab when the session is signed out [identity-36]', async () => {
    const ada = bff.browser();
    await ada.openTicket();
    const tabs = await Promise.all([streams.listen(ada.cookie), streams.listen(ada.cookie)]);
    await ada.request('DELETE', paths.session);
    await Promise.all(tabs.map(({ ended }) => ended));
    for (const tab of tabs)
      expect(tab.of('session').at(-1)).toMatchObject({ customer: null, signed_out: true });
  });

  it('shows nothing and ends when its session ends while it begins', async () => {
    const ada = bff.browser();
    await ada.openTicket();
    const lookUp = bff.sessions.authenticate;
    vi.spyOn(bff.sessions, 'authenticate').mockImplementationOnce(async (hash) => {
      const found = await lookUp(hash);
      await bff.store.deleteFrom('sessions').execute();
      return found;
    });
    const stream = await streams.listen(ada.cookie);
    await stream.ended;
    expect(stream.seen).toEqual([]);
  });

  it('whose session has expired ends at the next heartbeat, and the others continue', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const own = await startBff();
    const all = await startStreams(own);
    try {
      const [ada, bea] = [own.browser(), own.browser()];
      await ada.openTicket();
      await bea.openTicket({ customer_email: 'bea@example.com' });
      const [ending, staying] = [await all.listen(ada.cookie), await all.listen(bea.cookie)];
      const { session_id } = await own.store
        .selectFrom('operations')
        .select('session_id')
        .orderBy('seq')
        .executeTakeFirstOrThrow();
      await own.store.deleteFrom('sessions').where('id', '=', session_id).execute();
      await vi.advanceTimersByTimeAsync(heartbeatMs);
      await ending.ended;
      expect(ending.of('session').at(-1)).toMatchObject({ customer: null });
      expect(staying.isOpen()).toBe(true);
    } finally {
      vi.useRealTimers();
      await all.stop();
      await own.stop();
    }
  });

  it('begins at once though the service hangs, and brings the thread when it answers, before its turn [live-6]', async () => {
    const own = await startBff({ watchActiveMs: 3_600_000, watchIdleMs: 3_600_000 });
    const all = await startStreams(own);
    try {
      const ada = own.browser();
      const { data: ticket } = await ada.openTicket();
      let answerNow = () => {};
      const answered = new Promise<void>((resolve) => (answerNow = resolve));
      const read = own.v1.getTicket;
      vi.spyOn(own.v1, 'getTicket').mockImplementation((id) => answered.then(() => read(id)));
      const stream = await all.listen(ada.cookie, ticket.id);
      expect(stream.of('sync')[0]).toMatchObject({ tickets: [{ id: ticket.id }], thread: null });
      await until(() => expect(stream.of('freshness')[0]).toEqual({ fresh: false }));
      answerNow();
      await until(() => expect(stream.of('sync').at(-1).thread).toMatchObject({ id: ticket.id }));
      await until(() => expect(stream.of('freshness').at(-1)).toEqual({ fresh: true }));
    } finally {
      await all.stop();
      await own.stop();
    }
  });

  it('brings the thread in a second sync when the first could not read it', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    bff.service.answer = () => ({ statusCode: 500 });
    const stream = await streams.listen(ada.cookie, ticket.id);
    expect(stream.of('sync')[0].thread).toBeNull();
    bff.service.answer = undefined;
    await until(() => expect(stream.of('sync').at(-1).thread).toMatchObject({ id: ticket.id }));
  });

  it('does not begin, and logs no error, for a browser that left while its session was looked up', async () => {
    const ada = bff.browser();
    await ada.openTicket();
    const lookUp = bff.sessions.authenticate;
    let proceed = () => {};
    const hasLeft = new Promise<void>((resolve) => (proceed = resolve));
    const authenticate = vi.spyOn(bff.sessions, 'authenticate').mockImplementationOnce(async (hash) => {
      await hasLeft;
      return lookUp(hash);
    });
    const headers = { ...headersFor(ada.cookie), 'X-Forwarded-For': '203.0.113.1' };
    const leaving = request(streams.origin + paths.events, { headers });
    leaving.on('error', () => {}).end();
    await until(() => expect(authenticate).toHaveBeenCalled());
    leaving.destroy();
    await until(async () => expect(await streams.connections()).toBe(0));
    proceed();
    await authenticate.mock.results[0]!.value;
    await setImmediate();
    expect(bff.live.counts().streams).toBe(0);
    expect(bff.logLines.filter((line) => JSON.parse(line).code)).toEqual([]);
  });

  it('is refused for a HEAD request, which would never end it', async () => {
    const ada = bff.browser();
    await ada.openTicket();
    expect((await ada.request('HEAD', paths.events)).status).toBe(404);
  });

  it('reports when the service cannot be read, and when it can again [live-16]', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    const stream = await streams.listen(ada.cookie, ticket.id);
    await until(() => expect(stream.of('freshness').at(-1)).toEqual({ fresh: true }));
    bff.service.answer = () => ({ statusCode: 500 });
    await until(() => expect(stream.of('freshness').at(-1)).toEqual({ fresh: false }));
    bff.service.answer = undefined;
    await until(() => expect(stream.of('freshness').at(-1)).toEqual({ fresh: true }));
  });

  it('of a thread that is not theirs is never late, since no read would say that it is no longer', async () => {
    const [ada, ben] = [bff.browser(), bff.browser()];
    const { data: own } = await ada.openTicket();
    const { data: foreign } = await ben.openTicket();
    await bff.threads.refresh(own.id);
    bff.service.answer = () => ({ statusCode: 500 });
    await bff.threads.refresh(own.id);
    const stream = await streams.listen(ada.cookie, foreign.id);
    await until(() => expect(stream.of('freshness')).toEqual([{ fresh: true }]));
  });
});

it('a message of the customer comes once, also before the thread could be read', () => {
  const sent: string[] = [];
  const who = { subjectId: 's', sessionId: 's', thread: 't', after: null };
  const viewer = new Viewer(who, { write: (parts) => void sent.push(...parts.map(String)), end() {} });
  const message = (body: string) => new StreamEvent('message', 'key', JSON.stringify({ body }));
  viewer.begin(new StreamEvent('sync', 'sync ', '{}'), [], undefined);
  for (const body of ['One', 'One', 'Two']) viewer.sendMessage(message(body));
  expect(sent.slice(1)).toEqual(['One', 'Two'].map((body) => String(message(body).bytes)));
});

it('tickets are read only after the time that a 429 names, and then all of them [overload-43]', async () => {
  const ada = bff.browser();
  const { data: ticket } = await ada.openTicket();
  const stream = await streams.listen(ada.cookie, ticket.id);
  await until(() => expect(stream.of('freshness').at(-1)).toEqual({ fresh: true }));
  bff.service.answer = () => ({ statusCode: 429, headers: { 'retry-after': '1' } });
  await until(() => expect(bff.v1.readsHeldMs()).toBeGreaterThan(0));
  const refused = bff.service.calls.length;
  bff.service.answer = undefined;
  bff.service.addMessage(ticket.id, 'agent', 'On its way.');
  await bff.live.hint(ticket.id);
  await until(() => expect(bff.service.calls.length).toBeGreaterThan(refused));
  expect(bff.v1.readsHeldMs()).toBe(0);
  await until(() => expect(stream.of('message')).toHaveLength(1));
});

it('of more than ten tickets, the answer to an older one reaches a stream that has it on screen', async () => {
  const ada = bff.browser();
  const { data: oldest } = await ada.openTicket();
  for (let nth = 0; nth < 10; nth += 1) await ada.openTicket();
  const list = await streams.listen(ada.cookie);
  await until(() => expect(list.of('sync')).toHaveLength(1));
  await until(() => expect(bff.live.counts().watches).toBe(10));
  const stream = await streams.listen(ada.cookie, oldest.id);
  await until(() => expect(bff.live.counts().watches).toBe(11));
  bff.service.addMessage(oldest.id, 'agent', 'On its way.');
  await until(() => expect(stream.of('message')).toHaveLength(1));
});

it('an answer that could not be stored is in the list of its viewers once it could', async () => {
  const ada = bff.browser();
  const { data: ticket } = await ada.openTicket();
  const stream = await streams.listen(ada.cookie, ticket.id);
  await until(() => expect(stream.of('freshness').at(-1)).toEqual({ fresh: true }));
  const saving = vi.spyOn(bff.ticketRecords, 'save').mockRejectedValueOnce(new Error('the store is locked'));
  bff.service.addMessage(ticket.id, 'agent', 'On its way.');
  await until(() => expect(stream.of('message')).toHaveLength(1));
  await until(() => expect(stream.of('ticket').at(-1)).toMatchObject({ unread: 1 }));
  saving.mockRestore();
});

describe('when the message to one viewer fails', () => {
  it('that stream ends, the error is logged, and the other viewers get the answer [live-14]', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    const unlucky = await streams.listen(ada.cookie, ticket.id);
    const other = await streams.listen(ada.cookie, ticket.id);
    await until(() => expect(other.of('freshness').at(-1)).toEqual({ fresh: true }));
    const locked = new Error('the store is locked');
    // The lookup for both viewers fails, and then the one for a single viewer.
    vi.spyOn(bff.views, 'ofHolders').mockRejectedValueOnce(locked).mockRejectedValueOnce(locked);
    bff.service.addMessage(ticket.id, 'agent', 'On its way.');
    await until(() => expect(other.of('message')).toHaveLength(1));
    await unlucky.ended;
    expect(unlucky.of('message')).toEqual([]);
    expect(bff.logLines.join()).toContain('live_update_failed');
    const back = await streams.listen(ada.cookie, ticket.id);
    expect(back.of('sync')[0].thread.messages.at(-1)).toMatchObject({ body: 'On its way.' });
  });

  it('a change of a send reaches the other streams', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    const unlucky = await streams.listen(ada.cookie, ticket.id);
    const other = await streams.listen(ada.cookie, ticket.id);
    await ada.post(paths.messages(ticket.id), { body: 'Thanks' });
    await until(() => expect(other.of('operation').at(-1)).toMatchObject({ state: 'done' }));
    const told = other.of('operation').length;
    const row = await bff.store
      .selectFrom('operations')
      .selectAll()
      .where('kind', '=', 'message')
      .executeTakeFirstOrThrow();
    vi.spyOn(bff.sessions, 'find').mockRejectedValueOnce(new Error('the store is locked'));
    await bff.live.operation(row);
    await unlucky.ended;
    await until(() => expect(other.of('operation')).toHaveLength(told + 1));
  });
});

it('an answer arrives though the clock was set back an hour', async () => {
  const ada = bff.browser();
  const { data: ticket } = await ada.openTicket();
  const stream = await streams.listen(ada.cookie, ticket.id);
  bff.clock.setAheadMs = -3_600_000;
  bff.service.addMessage(ticket.id, 'agent', 'On its way.');
  await until(() => expect(stream.of('message')).toHaveLength(1));
});

it('many viewers of one ticket cost no more reads than one, and none once they are gone [overload-30]', async () => {
  const ada = bff.browser();
  const { data: ticket } = await ada.openTicket();
  const tabs = await Promise.all(Array.from({ length: 6 }, () => streams.listen(ada.cookie, ticket.id)));
  expect(bff.live.counts()).toEqual({ streams: 6, watches: 1 });
  const before = bff.service.calls.length;
  const since = performance.now();
  await until(() => expect(bff.service.calls.length).toBeGreaterThanOrEqual(before + 4));
  // The interval is 100 ms with a tenth of jitter, so four reads take at least three intervals.
  expect(performance.now() - since).toBeGreaterThan((bff.service.calls.length - before - 1) * 85);
  for (const tab of tabs) tab.stop();
  await until(() => expect(bff.live.counts()).toEqual({ streams: 0, watches: 0 }));
});

it('a tab that opens and closes does not delay the read that another tab waits for', async () => {
  const ada = bff.browser();
  const { data: ticket } = await ada.openTicket();
  await streams.listen(ada.cookie, ticket.id);
  const before = bff.service.calls.length;
  for (let i = 0; i < 12 && bff.service.calls.length < before + 2; i += 1)
    (await streams.listen(ada.cookie)).stop();
  await until(() => expect(bff.service.calls.length).toBeGreaterThanOrEqual(before + 2));
});
