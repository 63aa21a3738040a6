import { describe, expect, it, vi } from 'vitest';
import type { Message } from '../../../shared/contract/tickets.ts';
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
import type { Lock } from '../browser/page.ts';
import { createOutbox } from './outbox.ts';

const payload = { subject: 'My order', description: 'Where is it?', customer_email: 'ana@example.com' };
const ticket = { id: 't1', key: null };
const delivered = { ok: true as const, value: aMessage({ id: 'm9' }) };

type Handler = (...args: unknown[]) => void;

interface Options {
  calls?: Partial<Api>;
  storage?: ReturnType<typeof newStore>;
  lock?: Lock;
  whenSettled?: () => Promise<void>;
  owner?: () => string | null;
}

function setUp({
  calls = {},
  storage = newStore(),
  lock = (run) => run(),
  whenSettled = async () => {},
  owner = () => null,
}: Options = {}) {
  const { api } = fakeApi(calls);
  const clock = fakeClock();
  let keys = 0;
  const handlers = {
    onTicket: vi.fn<Handler>(),
    onMessage: vi.fn<Handler>(),
    onRefused: vi.fn<Handler>(),
    onSessionEnd: vi.fn<Handler>(),
    findOwner: vi.fn<() => Promise<void>>(async () => {}),
  };
  const newKey = () => `key-${(keys += 1)}`;
  const outbox = createOutbox({ api, clock, storage, owner, lock, newKey });
  outbox.setSender({ whenSettled, ...handlers });
  return { outbox, clock, storage, ...handlers };
}

/** A call that answers in turn with each of the results, then with the last one. */
const answers = <T>(...results: Result<T>[]) => {
  let turn = 0;
  return vi.fn<(...call: unknown[]) => Promise<Result<T>>>(
    async () => results[Math.min(turn++, results.length - 1)]!,
  );
};

describe('a send', () => {
  it('is stored before its first request, and removed once its conversation shows it [delivery-1]', async () => {
    const storage = newStore();
    const reply = vi.fn<Api['reply']>(async () => {
      expect(storage.names('send:')).toEqual(['send:key-1']);
      return delivered;
    });
    const { outbox, onMessage } = setUp({ calls: { reply }, storage });
    outbox.addMessage(ticket, { body: 'Hello' });
    await settle();
    expect(reply).toHaveBeenCalledWith('t1', 'key-1', { body: 'Hello' }, null);
    expect(onMessage).toHaveBeenCalledOnce();
    expect(setUp({ storage }).outbox.sends.value).toMatchObject([{ is_held: true, state: 'done' }]);
    outbox.wake();
    await settle();
    expect(reply).toHaveBeenCalledOnce();
    outbox.discard('key-1');
    expect(storage.names('send:')).toEqual([]);
  });

  it('is retried under the same key, after the pause that the server asked for [delivery-2]', async () => {
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
    expect(outbox.sends.value).toMatchObject([{ is_held: true, error: null }]);
  });

  it('is sent under the same key after a reload [delivery-3]', async () => {
    const storage = newStore();
    const before = setUp({ storage });
    before.outbox.addMessage(ticket, { body: 'Hello' });
    await settle();
    const reply = answers(delivered);
    const after = setUp({ storage, calls: { reply } });
    after.outbox.wake();
    await settle();
    expect(reply).toHaveBeenCalledWith('t1', 'key-1', { body: 'Hello' }, null);
  });

  it('is retried at once when the network is back, but not under a rate limit', async () => {
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

  it.each(['payload_too_large', 'invalid_request'] as const)(
    'that is refused with %s stays as not sent, and is sent again once under a new key',
    async (code) => {
      const reply = answers<Message>(http(code), delivered);
      const storage = newStore();
      const { outbox, onRefused } = setUp({ calls: { reply }, storage });
      outbox.addMessage(ticket, { body: 'Hello' });
      await settle();
      expect(outbox.sends.value[0]).toMatchObject({ state: 'rejected', error: code });
      expect(onRefused).toHaveBeenCalledOnce();
      const otherTab = setUp({ storage, calls: { reply } }).outbox;
      const [refused] = otherTab.sends.value;
      outbox.resend(outbox.sends.value[0]!);
      otherTab.resend(refused!);
      await settle();
      expect(reply.mock.calls.map(([, key]) => key)).toEqual(['key-1', 'key-2']);
      expect(storage.names('send:')).toEqual(['send:key-2']);
    },
  );

  it('that waits for its files is refused where no files are taken any more, and sent again without them', async () => {
    const reply = answers<Message>(delivered);
    const { outbox } = setUp({ calls: { reply } });
    const files = [{ key: 'f1', name: 'lid.jpg', size: 1 }];
    outbox.addMessage(ticket, { body: 'See' }, undefined, files);
    await settle();
    outbox.refuseFiles();
    const [send] = outbox.sends.value;
    expect(send).toMatchObject({ state: 'rejected' });
    expect(reply).not.toHaveBeenCalled();
    outbox.resend(send!);
    await settle();
    expect(reply.mock.calls.map(([, , sent]) => sent)).toEqual([{ body: 'See' }]);
  });

  it('in an unknown stored shape is neither shown nor removed', async () => {
    const storage = newStore();
    storage.write('send:old', {
      key: 'old',
      kind: 'message',
      payload: { body: 'Hello' },
      created_at: '2020',
    });
    storage.write('send:odd', ['?']);
    const reply = answers(delivered);
    const { outbox } = setUp({ storage, calls: { reply } });
    expect(outbox.sends.value).toEqual([]);
    outbox.addMessage(ticket, { body: 'Hello' });
    outbox.wake();
    await settle();
    expect(reply).toHaveBeenCalledOnce();
  });

  it('that another tab has removed is not stored again by this tab', async () => {
    const storage = newStore();
    const reply = answers<Message>(offline);
    const here = setUp({ storage, calls: { reply } }).outbox;
    here.addMessage(ticket, { body: 'Hello' });
    await settle();
    const there = setUp({ storage, calls: { reply } }).outbox;
    here.discard('key-1');
    there.wake();
    await settle();
    expect(storage.names('send:')).toEqual([]);
    expect(reply).toHaveBeenCalledOnce();
  });

  it('is sent and marked as in memory only when nothing can be stored', async () => {
    const storage = newStore(fakeStorage({ room: 0 }));
    const reply = vi.fn<Api['reply']>(() => new Promise<never>(() => {}));
    const { outbox } = setUp({ calls: { reply }, storage });
    outbox.addMessage(ticket, { body: 'Hello' });
    await settle();
    expect(outbox.isUnstored.value).toBe(true);
    expect(reply).toHaveBeenCalledOnce();
  });
});

describe('the state of a send', () => {
  const accepted = { ok: true as const, value: aMessage({ id: null, key: 'key-1', state: 'accepted' }) };

  it('stays accepted when this tab’s attempt fails after another tab’s has succeeded', async () => {
    const storage = newStore();
    let fail = (_: unknown) => {};
    const reply = () => new Promise<never>((resolve) => (fail = resolve as never));
    const slow = setUp({ storage, calls: { reply } });
    slow.outbox.addMessage(ticket, { body: 'Hello' });
    await settle();
    setUp({ storage, calls: { reply: answers(delivered) } }).outbox.run();
    await settle();
    fail(http('invalid_request'));
    await settle();
    expect(slow.outbox.find('key-1')).toMatchObject({ is_held: true, state: 'done', error: null });
    expect(slow.onRefused).not.toHaveBeenCalled();
  });

  it('follows the BFF, and never leaves a final state [delivery-9]', async () => {
    const { outbox } = setUp({ calls: { reply: answers<Message>(accepted) } });
    outbox.addMessage(ticket, { body: 'Hello' });
    await settle();
    outbox.applyState('key-1', { state: 'unknown' });
    expect(outbox.find('key-1')).toMatchObject({ is_held: true, state: 'unknown' });
    outbox.applyState('key-1', { state: 'rejected', error: 'not_found' });
    outbox.applyState('key-1', { state: 'accepted' });
    expect(outbox.find('key-1')).toMatchObject({ state: 'rejected', error: 'not_found' });
    outbox.applyState('key-of-nothing', { state: 'done' });
    expect(outbox.sends.value).toHaveLength(1);
  });

  it('is not written again by a wake that cannot send it', async () => {
    const storage = newStore();
    const reply = answers<Message>(accepted, http('invalid_request'));
    const { outbox } = setUp({ storage, calls: { reply } });
    outbox.addMessage(ticket, { body: 'Hello' });
    outbox.addMessage(ticket, { body: 'Odd' });
    await settle();
    const write = vi.spyOn(storage, 'write');
    outbox.wake();
    expect(write).not.toHaveBeenCalled();
  });
});

describe('a clock that is set back', () => {
  const hour = 3_600_000;

  it('keeps the order of what waits, also after a reload', async () => {
    const storage = newStore();
    const before = setUp({ storage, calls: { reply: answers<Message>(offline) } });
    before.outbox.addMessage(ticket, { body: 'first' });
    await settle();
    await before.clock.advance(-hour);
    before.outbox.addMessage(ticket, { body: 'second' });
    const reply = answers(delivered);
    setUp({ storage, calls: { reply } }).outbox.wake();
    await settle();
    expect(reply.mock.calls.map(([, , sent]) => sent)).toEqual([{ body: 'first' }, { body: 'second' }]);
  });

  it('does not delay the next attempt', async () => {
    const reply = answers<Message>(offline, offline, delivered);
    const { outbox, clock } = setUp({ calls: { reply } });
    outbox.addMessage(ticket, { body: 'Hello' });
    await settle();
    await clock.advance(2_000);
    await clock.advance(-hour);
    outbox.run();
    await settle();
    expect(outbox.sends.value).toMatchObject([{ is_held: true }]);
  });
});

it('after a failed lock the next attempt waits', async () => {
  const lock = vi.fn<Lock>(async () => {});
  const { outbox, clock } = setUp({ lock });
  outbox.addMessage(ticket, { body: 'Hello' });
  await settle();
  await clock.advance(100);
  expect(lock).toHaveBeenCalledOnce();
  await clock.advance(1000);
  expect(lock).toHaveBeenCalledTimes(2);
});

describe('the outbox', () => {
  it('keeps the order within a conversation, and a waiting conversation does not delay another', async () => {
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

  it('sends a reply by the ticket’s key as soon as the BFF has the ticket', async () => {
    const waiting = { ok: true as const, value: aTicket({ id: null, key: 'key-1', state: 'accepted' }) };
    const createTicket = answers(offline, waiting);
    const reply = answers<Message>({
      ok: true,
      value: aMessage({ id: null, key: 'key-2', state: 'accepted' }),
    });
    const { outbox, storage } = setUp({ calls: { createTicket, reply } });
    outbox.addTicket(payload);
    outbox.addMessage({ id: null, key: 'key-1' }, { body: 'And this' });
    await settle();
    expect(reply).not.toHaveBeenCalled();
    expect(outbox.isOnlyHere.value).toBe(true);
    outbox.wake();
    await settle();
    expect(reply).toHaveBeenCalledExactlyOnceWith('key-1', 'key-2', { body: 'And this' }, null);
    expect(outbox.find('key-1')).toMatchObject({ is_held: true });
    expect(outbox.find('key-2')).toMatchObject({ is_held: true, state: 'accepted' });
    expect(outbox.isOnlyHere.value).toBe(false);
    expect(storage.names('send:')).toEqual(['send:key-1', 'send:key-2']);
  });

  it('never sends a ticket again that the BFF has', async () => {
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
  it('send a text once: the second tab sees that the first has sent it [delivery-4]', async () => {
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
    expect(second.outbox.sends.value).toMatchObject([{ is_held: true }]);
  });

  it('finish a send whose tab was closed during it', async () => {
    const storage = newStore();
    let release = () => {};
    let queue = Promise.resolve();
    // The browser releases a tab's locks when the tab is closed.
    const lock: Lock = (run) => {
      const turn = queue.then(() => Promise.race([run(), new Promise<void>((end) => (release = end))]));
      queue = turn;
      return turn;
    };
    const dead = setUp({ storage, lock, calls: { reply: () => new Promise<never>(() => {}) } });
    const reply = answers(delivered);
    const alive = setUp({ storage, lock, calls: { reply } });
    dead.outbox.addMessage(ticket, { body: 'Hello' });
    await settle();
    alive.outbox.refresh();
    alive.outbox.run();
    await settle();
    expect(reply).not.toHaveBeenCalled();
    release();
    await settle();
    expect(reply).toHaveBeenCalledExactlyOnceWith('t1', 'key-1', { body: 'Hello' }, null);
  });
});
