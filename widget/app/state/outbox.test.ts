import { describe, expect, it, vi } from 'vitest';
import type { Message } from '../../../bff/contract/tickets.ts';
import type { Api } from '../api/client.ts';
import type { Result } from '../api/result.ts';
import {
  aMessage,
  aTicket,
  fakeApi,
  fakeClock,
  fakeStorage,
  http,
  newStore,
  offline,
  settle,
} from '../testing/fakes.ts';
import type { Lock } from './outbox.ts';
import { createOutbox } from './outbox.ts';

const payload = { subject: 'My order', description: 'Where is it?', customer_email: 'ana@example.com' };
const ticket = { id: 't1', key: null };
const delivered = { ok: true as const, value: aMessage({ id: 'm9' }) };

type Heard = (...args: unknown[]) => void;

interface Options {
  calls?: Partial<Api>;
  storage?: ReturnType<typeof newStore>;
  lock?: Lock;
  whenClear?: () => Promise<void>;
}

function setUp({
  calls = {},
  storage = newStore(),
  lock = (run) => run(),
  whenClear = async () => {},
}: Options = {}) {
  const { api } = fakeApi(calls);
  const clock = fakeClock();
  let keys = 0;
  const heard = { onTicket: vi.fn<Heard>(), onMessage: vi.fn<Heard>(), onRefused: vi.fn<Heard>() };
  const newKey = () => `key-${(keys += 1)}`;
  const outbox = createOutbox({ api, clock, storage, lock, whenClear, newKey, ...heard });
  return { outbox, clock, storage, ...heard };
}

/** A call that answers in turn with each of the results, then with the last one. */
const answers = <T>(...results: Result<T>[]) => {
  let turn = 0;
  return vi.fn<(...call: unknown[]) => Promise<Result<T>>>(
    async () => results[Math.min(turn++, results.length - 1)]!,
  );
};

describe('a send', () => {
  it('is stored before its first byte leaves, and goes when the server has it', async () => {
    const storage = newStore();
    const reply = vi.fn<Api['reply']>(async () => {
      expect(storage.names('send:')).toEqual(['send:key-1']);
      return delivered;
    });
    const { outbox, onMessage } = setUp({ calls: { reply }, storage });
    outbox.addMessage(ticket, { body: 'Hello' });
    await settle();
    expect(reply).toHaveBeenCalledWith('t1', 'key-1', { body: 'Hello' });
    expect(storage.names('send:')).toEqual([]);
    expect(outbox.sends.value).toEqual([]);
    expect(onMessage).toHaveBeenCalledOnce();
  });

  it('keeps its key over retries, after the pause that the server asked for', async () => {
    const reply = answers<Message>(
      http('overloaded', { retryable: true, retryAfterSec: 120 }),
      offline,
      delivered,
    );
    const { outbox, clock } = setUp({ calls: { reply } });
    outbox.addMessage(ticket, { body: 'Hello' });
    await settle();
    expect(outbox.sends.value[0]).toMatchObject({ state: 'accepted', error: 'overloaded' });
    await clock.advance(119_000);
    expect(reply).toHaveBeenCalledTimes(1);
    await clock.advance(1_000);
    await clock.advance(60_000);
    expect(reply.mock.calls.map(([, key]) => key)).toEqual(['key-1', 'key-1', 'key-1']);
    expect(outbox.sends.value).toEqual([]);
  });

  it('keeps its key over a reload', async () => {
    const storage = newStore();
    const before = setUp({ storage });
    before.outbox.addMessage(ticket, { body: 'Hello' });
    await settle();
    const reply = answers(delivered);
    const after = setUp({ storage, calls: { reply } });
    after.outbox.wake();
    await settle();
    expect(reply).toHaveBeenCalledWith('t1', 'key-1', { body: 'Hello' });
  });

  it('is tried at once when the network is back, but not against a rate limit', async () => {
    const reply = answers<Message>(offline, http('rate_limited', { retryable: true, retryAfterSec: 60 }));
    const { outbox } = setUp({ calls: { reply } });
    outbox.addMessage(ticket, { body: 'Hello' });
    await settle();
    outbox.wake();
    await settle();
    expect(reply).toHaveBeenCalledTimes(2);
    outbox.wake();
    await settle();
    expect(reply).toHaveBeenCalledTimes(2);
  });

  it('stays, as not sent, when it is refused; sent again it has a new key', async () => {
    const reply = answers<Message>(http('payload_too_large'), delivered);
    const { outbox, onRefused } = setUp({ calls: { reply } });
    outbox.addMessage(ticket, { body: 'Hello' });
    await settle();
    expect(outbox.sends.value[0]).toMatchObject({ state: 'rejected', error: 'payload_too_large' });
    expect(onRefused).toHaveBeenCalledOnce();
    outbox.resend(outbox.sends.value[0]!);
    await settle();
    expect(reply.mock.calls.map(([, key]) => key)).toEqual(['key-1', 'key-2']);
  });

  it('goes out, marked as kept in memory only, where nothing can be stored', async () => {
    const storage = newStore(fakeStorage({ full: true }));
    const reply = vi.fn<Api['reply']>(() => new Promise<never>(() => {}));
    const { outbox } = setUp({ calls: { reply }, storage });
    outbox.addMessage(ticket, { body: 'Hello' });
    await settle();
    expect(outbox.isOnlyHere.value).toBe(true);
    expect(reply).toHaveBeenCalledOnce();
  });
});

describe('order', () => {
  it('holds within a conversation, and one that waits does not hold up another', async () => {
    const sent: string[] = [];
    const reply: Api['reply'] = async (id, _key, { body }) => {
      sent.push(`${id} ${body}`);
      return id === 't1' ? offline : delivered;
    };
    const { outbox } = setUp({ calls: { reply } });
    outbox.addMessage(ticket, { body: 'first' });
    outbox.addMessage(ticket, { body: 'second' });
    outbox.addMessage({ id: 't2', key: null }, { body: 'other' });
    await settle();
    expect(sent).toEqual(['t1 first', 't2 other']);
  });

  it('makes replies wait for the ticket that they belong to', async () => {
    const waiting = { ok: true as const, value: aTicket({ id: null, key: 'key-1', state: 'accepted' }) };
    const reply = answers(delivered);
    const { outbox, storage } = setUp({ calls: { createTicket: async () => waiting, reply } });
    outbox.addTicket(payload);
    outbox.addMessage({ id: null, key: 'key-1' }, { body: 'And this' });
    await settle();
    expect(reply).not.toHaveBeenCalled();
    expect(outbox.find('key-1')).toMatchObject({ is_held: true });
    outbox.link('key-1', 't5');
    await settle();
    expect(reply).toHaveBeenCalledWith('t5', 'key-2', { body: 'And this' });
    expect(storage.names('send:')).toEqual(['send:key-1']);
  });

  it('never sends a ticket again that the server holds', async () => {
    const createTicket = answers({
      ok: true as const,
      value: aTicket({ id: null, key: 'key-1', state: 'accepted' }),
    });
    const { outbox } = setUp({ calls: { createTicket } });
    outbox.addTicket(payload);
    await settle();
    outbox.wake();
    await settle();
    expect(createTicket).toHaveBeenCalledOnce();
  });
});

describe('two tabs', () => {
  it('send once: the second one sees that the first has done it', async () => {
    let queue = Promise.resolve();
    const lock: Lock = (run) => (queue = queue.then(run));
    const storage = newStore();
    const reply = answers(delivered);
    const first = setUp({ storage, lock, calls: { reply } });
    const second = setUp({ storage, lock, calls: { reply } });
    first.outbox.addMessage(ticket, { body: 'Hello' });
    second.outbox.refresh();
    second.outbox.run();
    await queue;
    await settle();
    expect(reply).toHaveBeenCalledOnce();
    expect(second.outbox.sends.value).toEqual([]);
  });
});
