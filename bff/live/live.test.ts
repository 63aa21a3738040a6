import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { gateHeader, paths } from '../contract/paths.ts';
import { startBff, type TestBff } from '../testing/bff.ts';

let bff: TestBff;
let server: ReturnType<typeof createAdaptorServer>;
const streams: AbortController[] = [];
/** Patient, for a busy machine: what does not come at all still fails. */
const until = (check: () => void) => vi.waitFor(check, { timeout: 5_000 });

beforeEach(async () => {
  bff = await startBff();
  server = createAdaptorServer({ fetch: bff.app.fetch });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.abort();
  await new Promise((resolve) => server.close(resolve));
  await bff.stop();
});

interface Seen {
  name: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read whatever shape they expect
  data: any;
}

/** Opens the stream and collects its events; ends when the server ends it. */
async function listen(cookie: string, thread = '') {
  const stop = new AbortController();
  streams.push(stop);
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}${paths.events}${thread && `?thread=${thread}`}`, {
    headers: { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin', [gateHeader]: '1' },
    signal: stop.signal,
  });
  const seen: Seen[] = [];
  const reading = (async () => {
    let rest = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const parts = (rest + chunk).split('\n\n');
      rest = parts.pop()!;
      for (const part of parts) {
        const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(part) ?? [];
        if (name) seen.push({ name, data: JSON.parse(data!) });
      }
    }
  })().catch(() => {});
  const of = (name: string) => seen.filter((event) => event.name === name).map(({ data }) => data);
  await until(() => expect(of('sync')).toHaveLength(1));
  return { seen, of, ended: reading, stop: () => stop.abort() };
}

describe('the stream', () => {
  it('begins with all that the screen needs', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    const { seen } = await listen(ada.cookie, ticket.id);
    expect(seen[0]).toMatchObject({
      name: 'sync',
      data: {
        session: { customer: { email: 'ada@example.com' }, unread: 0 },
        tickets: [{ id: ticket.id }],
        thread: { id: ticket.id, messages: [{ body: expect.any(String) }] },
      },
    });
  });

  it('brings an answer, with the unread count, and nothing twice', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    const stream = await listen(ada.cookie, ticket.id);
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

  it('of the list has no messages of threads that are not on screen', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    const stream = await listen(ada.cookie);
    bff.service.addMessage(ticket.id, 'agent', 'On its way.');
    await until(() => expect(stream.of('ticket')[0]).toMatchObject({ id: ticket.id, unread: 1 }));
    expect(stream.of('message')).toEqual([]);
  });

  it('tells another tab of a reply', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    const stream = await listen(ada.cookie, ticket.id);
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

  it('never carries what another customer did, even when asked for their thread', async () => {
    const ada = bff.browser();
    const eve = bff.browser();
    const { data: ticket } = await ada.openTicket();
    await eve.openTicket({ customer_email: 'eve@example.com' });
    const stream = await listen(eve.cookie, ticket.id);
    expect(stream.of('sync')[0].thread).toBeNull();
    bff.service.addMessage(ticket.id, 'agent', 'For Ada only');
    const reads = bff.service.calls.length;
    await until(() => expect(bff.service.calls.length).toBeGreaterThan(reads + 3));
    expect(JSON.stringify(stream.seen)).not.toContain(ticket.id);
    expect(bff.service.calls.slice(reads).some(({ path }) => path.includes(ticket.id))).toBe(false);
  });

  it('stops carrying a ticket once the right to it is gone', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    const stream = await listen(ada.cookie, ticket.id);
    await bff.store.deleteFrom('grants').execute();
    bff.service.addMessage(ticket.id, 'agent', 'Too late');
    await until(() => expect(bff.live.counts().watches).toBe(0));
    expect(stream.of('message')).toEqual([]);
  });

  it('ends in every tab when the session is signed out', async () => {
    const ada = bff.browser();
    await ada.openTicket();
    const tabs = await Promise.all([listen(ada.cookie), listen(ada.cookie)]);
    await ada.request('DELETE', paths.session);
    await Promise.all(tabs.map(({ ended }) => ended));
    for (const tab of tabs) expect(tab.of('session').at(-1)).toMatchObject({ customer: null });
  });

  it('begins at once though the service hangs, and brings the thread when it answers', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    const hanging = vi.spyOn(bff.v1, 'getTicket').mockImplementationOnce(() => new Promise(() => {}));
    const stream = await listen(ada.cookie, ticket.id);
    expect(stream.of('sync')[0]).toMatchObject({ tickets: [{ id: ticket.id }], thread: null });
    await until(() => expect(stream.of('freshness')[0]).toEqual({ fresh: false }));
    hanging.mockRestore();
  });

  it('brings the thread in a second sync when the first could not read it', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    bff.service.answer = () => ({ statusCode: 500 });
    const stream = await listen(ada.cookie, ticket.id);
    expect(stream.of('sync')[0].thread).toBeNull();
    bff.service.answer = undefined;
    await until(() => expect(stream.of('sync').at(-1).thread).toMatchObject({ id: ticket.id }));
  });

  it('is refused to a HEAD request, which it would never end', async () => {
    const ada = bff.browser();
    await ada.openTicket();
    expect((await ada.request('HEAD', paths.events)).status).toBe(404);
  });

  it('says when the service cannot be read, and when it can again', async () => {
    const ada = bff.browser();
    const { data: ticket } = await ada.openTicket();
    const stream = await listen(ada.cookie, ticket.id);
    await until(() => expect(stream.of('freshness').at(-1)).toEqual({ fresh: true }));
    bff.service.answer = () => ({ statusCode: 500 });
    await until(() => expect(stream.of('freshness').at(-1)).toEqual({ fresh: false }));
    bff.service.answer = undefined;
    await until(() => expect(stream.of('freshness').at(-1)).toEqual({ fresh: true }));
  });
});

it('many viewers of one ticket cost no more reads than one, and none when they are gone', async () => {
  const ada = bff.browser();
  const { data: ticket } = await ada.openTicket();
  const tabs = await Promise.all(Array.from({ length: 12 }, () => listen(ada.cookie, ticket.id)));
  expect(bff.live.counts()).toEqual({ streams: 12, watches: 1 });
  const before = bff.service.calls.length;
  const since = performance.now();
  await until(() => expect(bff.service.calls.length).toBeGreaterThanOrEqual(before + 4));
  // The pace is 100 ms with a tenth of jitter: four reads take three pauses at least.
  expect(performance.now() - since).toBeGreaterThan((bff.service.calls.length - before - 1) * 85);
  for (const tab of tabs) tab.stop();
  await until(() => expect(bff.live.counts()).toEqual({ streams: 0, watches: 0 }));
});

it('a tab that comes and goes does not put off the read that another waits for', async () => {
  const ada = bff.browser();
  const { data: ticket } = await ada.openTicket();
  await listen(ada.cookie, ticket.id);
  const before = bff.service.calls.length;
  for (let i = 0; i < 12 && bff.service.calls.length < before + 2; i += 1) (await listen(ada.cookie)).stop();
  await until(() => expect(bff.service.calls.length).toBeGreaterThanOrEqual(before + 2));
});
