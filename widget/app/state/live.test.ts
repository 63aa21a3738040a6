import { describe, expect, it, vi } from 'vitest';
import type { ApiFailure } from '../api/result.ts';
import type { ServerEvent } from '../api/shapes.ts';
import { aSession, fakeApi, fakeClock, http, offline, settle } from '../testing/fakes.ts';
import { createLive } from './live.ts';

const event: ServerEvent = { name: 'session', data: aSession() };

function setUp() {
  const streams: {
    thread: string | null;
    signal: AbortSignal;
    hear: () => void;
    end: (why: ApiFailure) => Promise<void>;
  }[] = [];
  const { api } = fakeApi({
    events: (thread, onEvent, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve(offline.error));
        const end = (why: ApiFailure) => {
          resolve(why);
          return settle();
        };
        streams.push({ thread, signal, hear: () => onEvent(event), end });
      }),
  });
  const clock = fakeClock();
  const heard = {
    onEvent: vi.fn<(event: ServerEvent) => void>(),
    poll: vi.fn<() => Promise<void>>(async () => {}),
    onUnauthenticated: vi.fn<() => void>(),
  };
  const live = createLive({ api, clock, ...heard });
  return { live, clock, streams, last: () => streams.at(-1)!, ...heard };
}

describe('live', () => {
  it('passes events on', () => {
    const { live, last, onEvent } = setUp();
    live.connect('t1');
    last().hear();
    expect(onEvent).toHaveBeenCalledWith(event);
    expect(last().thread).toBe('t1');
  });

  it('moves to another thread on a new connection, and stays for the same', async () => {
    const { live, streams } = setUp();
    live.connect(null);
    live.connect(null);
    live.connect('t1');
    await settle();
    expect(streams.map(({ thread }) => thread)).toEqual([null, 't1']);
    expect(streams.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  });

  it('reconnects after a pause, and at once when woken', async () => {
    const { live, clock, streams, last } = setUp();
    live.connect(null);
    await last().end(offline.error);
    expect(streams).toHaveLength(1);
    await clock.advance(2_000);
    expect(streams).toHaveLength(2);
    await last().end(offline.error);
    live.wake();
    await settle();
    expect(streams).toHaveLength(3);
  });

  it('waits as long as the server asks', async () => {
    const { live, clock, streams, last } = setUp();
    live.connect(null);
    await last().end(http('overloaded', { retryable: true, retryAfterSec: 30 }).error);
    await clock.advance(29_000);
    expect(streams).toHaveLength(1);
    await clock.advance(1_000);
    expect(streams).toHaveLength(2);
  });

  it('says that it is late only after a moment without a stream', async () => {
    const { live, clock, last } = setUp();
    live.connect(null);
    await clock.advance(3_900);
    expect(live.isLate.value).toBe(false);
    await clock.advance(200);
    expect(live.isLate.value).toBe(true);
    last().hear();
    expect(live.isLate.value).toBe(false);
  });

  it('polls after three failures in a row, every 15 s, until the stream is back', async () => {
    const { live, clock, last, poll, streams } = setUp();
    live.connect(null);
    for (let failures = 0; failures < 3; failures += 1) {
      expect(poll).not.toHaveBeenCalled();
      await last().end(offline.error);
      await clock.advance(10_000);
    }
    expect(poll).toHaveBeenCalledOnce();
    await clock.advance(5_000);
    await last().end(offline.error);
    expect(poll).toHaveBeenCalledTimes(2);
    await clock.advance(15_000);
    last().hear();
    await last().end(offline.error);
    expect(poll).toHaveBeenCalledTimes(2);
    expect(streams).toHaveLength(5);
  });

  it('gives up when the session is gone', async () => {
    const { live, clock, last, streams, onUnauthenticated } = setUp();
    live.connect(null);
    await last().end(http('unauthenticated').error);
    await clock.advance(60_000);
    expect(onUnauthenticated).toHaveBeenCalledOnce();
    expect(streams).toHaveLength(1);
  });

  it('stops, for good, and can begin again', async () => {
    const { live, clock, last, streams } = setUp();
    live.connect(null);
    live.stop();
    expect(last().signal.aborted).toBe(true);
    await clock.advance(60_000);
    expect(streams).toHaveLength(1);
    expect(live.isLate.value).toBe(false);
    live.connect(null);
    expect(streams).toHaveLength(2);
  });
});
