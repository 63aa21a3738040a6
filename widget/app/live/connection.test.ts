import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApiFailure } from '../api/result.ts';
import type { ServerEvent } from '../api/shapes.ts';
import { aSession, fakeApi, fakeClock, http, offline, settle } from '../testing/fakes.ts';
import { createConnection, type LiveStatus } from './connection.ts';

const event: ServerEvent = { name: 'session', data: aSession() };

function setUp() {
  const streams: {
    thread: string | null;
    signal: AbortSignal;
    deliver: () => void;
    end: (why: ApiFailure) => Promise<void>;
  }[] = [];
  const { api } = fakeApi({
    events: ({ thread }, onEvent, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve(offline.error));
        const end = (why: ApiFailure) => {
          resolve(why);
          return settle();
        };
        streams.push({ thread, signal, deliver: () => onEvent(event), end });
      }),
  });
  const clock = fakeClock();
  const handlers = {
    onEvent: vi.fn<(event: ServerEvent) => void>(),
    onStatus: vi.fn<(status: LiveStatus) => void>(),
    poll: vi.fn<() => Promise<boolean>>(async () => true),
    onUnauthenticated: vi.fn<() => void>(),
  };
  const connection = createConnection({ api, clock, begin: () => ({ after: null, since: 1 }), ...handlers });
  const status = () => handlers.onStatus.mock.lastCall?.[0];
  return { connection, status, clock, streams, last: () => streams.at(-1)!, ...handlers };
}

describe('the connection', () => {
  /** How much longer or shorter than meant a pause is: 0.5 is neither. */
  const random = vi.spyOn(Math, 'random');
  beforeEach(() => void random.mockReturnValue(0.5));

  it('passes events on', () => {
    const { connection, last, onEvent } = setUp();
    connection.connect('t1');
    last().deliver();
    expect(onEvent).toHaveBeenCalledWith(event, 1);
    expect(last().thread).toBe('t1');
  });

  it('reconnects for another thread, and not for the same', async () => {
    const { connection, streams } = setUp();
    connection.connect(null);
    connection.connect(null);
    connection.connect('t1');
    await settle();
    expect(streams.map(({ thread }) => thread)).toEqual([null, 't1']);
    expect(streams.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  });

  it('reconnects after a pause, and at once when woken', async () => {
    const { connection, clock, streams, last } = setUp();
    connection.connect(null);
    await last().end(offline.error);
    expect(streams).toHaveLength(1);
    await clock.advance(2_000);
    expect(streams).toHaveLength(2);
    await last().end(offline.error);
    connection.wake();
    await settle();
    expect(streams).toHaveLength(3);
  });

  it('waits longer each time for a server that ends each stream after its first event, and polls meanwhile', async () => {
    const { connection, clock, streams, last, poll } = setUp();
    connection.connect(null);
    for (let second = 0, answered = 0; second < 120; second += 1) {
      if (streams.length > answered) {
        answered = streams.length;
        last().deliver();
        await last().end(offline.error);
      }
      await clock.advance(1_000);
    }
    expect(streams.length).toBeLessThan(9);
    expect(poll.mock.calls.length).toBeGreaterThan(4);
  });

  it('waits for a moment only after a stream that has lasted', async () => {
    const { connection, clock, streams, last } = setUp();
    connection.connect(null);
    for (let day = 1; day < 10; day += 1) {
      last().deliver();
      await clock.advance(60_000);
      await last().end(offline.error);
      await clock.advance(2_000);
      expect(streams).toHaveLength(day + 1);
    }
  });

  it('polls at another moment than other browsers, after a server was away', async () => {
    const polledAfter = async (share: number) => {
      random.mockReturnValue(share);
      const { connection, clock, poll } = setUp();
      connection.connect(null);
      let ms = 0;
      for (; poll.mock.calls.length < 2; ms += 100) await clock.advance(100);
      return ms;
    };
    expect(await polledAfter(1)).toBeGreaterThan((await polledAfter(0)) + 5_000);
  });

  it('waits as long as the server asks', async () => {
    const { connection, clock, streams, last } = setUp();
    connection.connect(null);
    await last().end(http('overloaded', { retryable: true, retryAfterSec: 30 }).error);
    await clock.advance(29_000);
    expect(streams).toHaveLength(1);
    await clock.advance(1_000);
    expect(streams).toHaveLength(2);
  });

  it('is late only when neither stream nor poll has answered for a moment [live-15]', async () => {
    const { connection, status, clock, last, poll } = setUp();
    poll.mockReturnValue(new Promise(() => {}));
    connection.connect(null);
    await clock.advance(3_000);
    expect(poll).toHaveBeenCalledOnce();
    expect(status()).toBeUndefined();
    await clock.advance(1_000);
    expect(status()).toBe('late');
    last().deliver();
    expect(status()).toBe('stream');
  });

  it('polls every 15 s while the stream is refused or buffered, until it works again', async () => {
    const { connection, status, clock, last, poll } = setUp();
    connection.connect(null);
    await clock.advance(3_000);
    expect(poll).toHaveBeenCalledOnce();
    expect(status()).toBe('polling');
    await last().end(offline.error);
    await clock.advance(15_000);
    expect(poll).toHaveBeenCalledTimes(2);
    poll.mockResolvedValue(false);
    await clock.advance(15_000);
    expect(status()).toBe('late');
    last().deliver();
    await clock.advance(60_000);
    expect(poll).toHaveBeenCalledTimes(3);
    expect(status()).toBe('stream');
  });

  it('does not change its status in a short break', async () => {
    const { connection, status, clock, last, poll } = setUp();
    connection.connect(null);
    last().deliver();
    await last().end(offline.error);
    await clock.advance(2_000);
    last().deliver();
    await clock.advance(15_000);
    expect(poll).not.toHaveBeenCalled();
    expect(status()).toBe('stream');
  });

  it('stops when the session has ended', async () => {
    const { connection, clock, last, streams, onUnauthenticated } = setUp();
    connection.connect(null);
    await last().end(http('unauthenticated').error);
    await clock.advance(60_000);
    expect(onUnauthenticated).toHaveBeenCalledOnce();
    expect(streams).toHaveLength(1);
  });

  it('makes no attempts once stopped, and can be connected again', async () => {
    const { connection, status, clock, last, streams } = setUp();
    connection.connect(null);
    connection.stop();
    expect(last().signal.aborted).toBe(true);
    await clock.advance(60_000);
    expect(streams).toHaveLength(1);
    expect(status()).toBe('off');
    connection.connect(null);
    expect(streams).toHaveLength(2);
  });
});
