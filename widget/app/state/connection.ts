import type { Api } from '../api/client.ts';
import type { ServerEvent } from '../api/shapes.ts';
import type { Clock } from './clock.ts';
import { backoffMs } from './clock.ts';

/**
 * How answers come: over the stream, by asking now and then, or for the moment not at all (`late`: the screen may be
 * out of date). `off`: nothing has been asked for, or nothing has come yet.
 */
export const liveStatuses = ['off', 'stream', 'polling', 'late'] as const;
export type LiveStatus = (typeof liveStatuses)[number];

/** Where a stream goes on from. */
export interface StreamStart {
  /** The message up to which its conversation is here; null: it begins with the newest messages. */
  after: string | null;
  /** The moment that it is asked for. */
  since: number;
}

interface ConnectionOptions {
  api: Pick<Api, 'events'>;
  clock: Clock;
  /** Asked at each attempt. */
  begin: (thread: string | null) => StreamStart;
  /** `since` for the stream's first list. */
  onEvent: (event: ServerEvent, since?: number) => void;
  onStatus: (status: LiveStatus) => void;
  /** Reads by plain requests what the stream would have brought; false when that fails too. */
  poll: () => Promise<boolean>;
  /** The BFF does not know this browser's session. */
  onUnauthenticated: () => void;
}

/** A break shorter than this is sat out in silence; a stream that something on the way holds back brings nothing. */
const pollAfterMs = 3_000;
const pollEveryMs = 15_000;
/** Added to the wait before the first poll, this is when the screen says that it is late. */
const lateAfterMs = 1_000;

/** This tab's own event stream, kept up: reconnects with backoff, and polls while it cannot be had. */
export function createConnection(options: ConnectionOptions) {
  const { api, clock, begin, onEvent, onStatus, poll, onUnauthenticated } = options;
  let connection: { thread: string | null; abort: AbortController } | null = null;
  let gap: AbortController | null = null;
  let wakeUp = () => {};

  const after = (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve));

  async function standIn(over: AbortSignal) {
    const tell = (status: LiveStatus) => over.aborted || onStatus(status);
    for (await after(pollAfterMs); !over.aborted; await after(pollEveryMs)) {
      const cancel = clock.after(lateAfterMs, () => tell('late'));
      const isRead = await poll();
      cancel();
      tell(isRead ? 'polling' : 'late');
    }
  }

  function markDown() {
    if (gap) return;
    gap = new AbortController();
    void standIn(gap.signal);
  }

  function endGap(status: LiveStatus) {
    gap?.abort();
    gap = null;
    onStatus(status);
  }

  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const cancel = clock.after(ms, resolve);
      wakeUp = () => {
        cancel();
        resolve();
      };
    });

  async function keep(thread: string | null, ended: AbortSignal) {
    let failures = 0;
    while (!ended.aborted) {
      // Before an attempt too: a connection that hangs is down.
      markDown();
      const start = begin(thread);
      let since: number | undefined = start.since;
      const hear = (event: ServerEvent) => {
        failures = 0;
        endGap('stream');
        onEvent(event, since);
        // Of a stream's later lists it is not known when they were made.
        if (event.name === 'sync') since = undefined;
      };
      const { code, retryAfterSec } = await api.events({ thread, after: start.after }, hear, ended);
      if (ended.aborted) return;
      if (code === 'unauthenticated') {
        stop();
        onUnauthenticated();
        return;
      }
      failures += 1;
      await pause(Math.max(retryAfterSec * 1000, backoffMs(failures)));
    }
  }

  function stop() {
    connection?.abort.abort();
    connection = null;
    wakeUp();
    endGap('off');
  }

  return {
    /** Follows the customer's tickets, and the messages of `thread` closely. */
    connect(thread: string | null) {
      if (connection?.thread === thread) return;
      connection?.abort.abort();
      wakeUp();
      const abort = new AbortController();
      connection = { thread, abort };
      void keep(thread, abort.signal);
    },
    stop,
    /** Do not sit out a backoff: the network or the page has just come back. */
    wake: () => wakeUp(),
  };
}
