import type { Api } from '../api/client.ts';
import type { ServerEvent } from '../api/shapes.ts';
import { aboutMs, backoffMs, type Clock, createPause } from '../browser/clock.ts';
import { action } from '@preact/signals';

/**
 * How answers arrive: by the stream or by polling. `late`: neither works now, so the screen may be out of date. `off`: not
 * connected, or nothing has arrived yet.
 */
export const liveStatuses = ['off', 'stream', 'polling', 'late'] as const;
export type LiveStatus = (typeof liveStatuses)[number];

/** Where a stream continues. */
export interface StreamStart {
  /** Id or key of the message up to which the conversation is known; null: the stream sends its newest messages. */
  after: string | null;
  /** `tickets.moment()` at the time of the request. */
  since: number;
}

export interface ConnectionOptions {
  api: Pick<Api, 'events'>;
  clock: Clock;
  /** Where a stream that follows this conversation begins; called at each attempt. */
  begin: (thread: string | null) => StreamStart;
  /** `since` is given up to and including the stream's first `sync`. */
  onEvent: (event: ServerEvent, since?: number) => void;
  onStatus: (status: LiveStatus) => void;
  /** Reads the same data by plain requests; false when that fails too. */
  poll: () => Promise<boolean>;
  /** The BFF does not know this browser's session. */
  onUnauthenticated: () => void;
}

/** A stream that ends sooner counts as a failed attempt: each one costs the server a reading of all data. */
const steadyMs = 10_000;
/** Polling starts when an attempt to connect has brought no event for so long: a proxy may buffer the stream. */
const pollAfterMs = 3_000;
const pollEveryMs = 15_000;
/** A poll that takes longer sets the status `late`. */
const lateAfterMs = 1_000;

/** Keeps this tab's event stream open: reconnects with backoff, and polls until an attempt brings an event. */
export function createConnection(options: ConnectionOptions) {
  const { api, clock, begin, onEvent, onStatus, poll, onUnauthenticated } = options;
  let connection: { thread: string | null; abort: AbortController } | null = null;
  let gap: AbortController | null = null;
  const pause = createPause(clock);

  const after = (ms: number) => new Promise<void>((resolve) => void clock.after(aboutMs(ms), resolve));

  async function pollUntil(end: AbortSignal) {
    const setStatus = (status: LiveStatus) => end.aborted || onStatus(status);
    for (await after(pollAfterMs); !end.aborted; await after(pollEveryMs)) {
      const cancel = clock.after(lateAfterMs, () => setStatus('late'));
      const isRead = await poll();
      cancel();
      setStatus(isRead ? 'polling' : 'late');
    }
  }

  function markDown() {
    if (gap) return;
    gap = new AbortController();
    void pollUntil(gap.signal);
  }

  function endGap(status: LiveStatus) {
    gap?.abort();
    gap = null;
    onStatus(status);
  }

  async function keep(thread: string | null, ended: AbortSignal) {
    let failures = 0;
    // Before the attempt, because a connection may hang.
    markDown();
    while (!ended.aborted) {
      const start = begin(thread);
      let since: number | undefined = start.since;
      let endTrial: (() => void) | undefined;
      const onServerEvent = action((event: ServerEvent) => {
        endTrial ??= clock.after(steadyMs, () => (failures = 0));
        endGap('stream');
        onEvent(event, since);
        // For later lists of the stream it is unknown when they were read.
        if (event.name === 'sync') since = undefined;
      });
      const { code, retryAfterSec } = await api.events({ thread, after: start.after }, onServerEvent, ended);
      endTrial?.();
      if (ended.aborted) return;
      if (code === 'unauthenticated') {
        stop();
        onUnauthenticated();
        return;
      }
      failures += 1;
      markDown();
      await pause.wait(Math.max(retryAfterSec * 1000, backoffMs(failures)));
    }
  }

  function stop() {
    connection?.abort.abort();
    connection = null;
    pause.end();
    endGap('off');
  }

  return {
    /** Opens a stream of the customer's tickets and of the messages of `thread`. */
    connect(thread: string | null) {
      if (connection?.thread === thread) return;
      connection?.abort.abort();
      pause.end();
      const abort = new AbortController();
      connection = { thread, abort };
      void keep(thread, abort.signal);
    },
    stop,
    /** Retries now instead of after the backoff: the network or the page has just come back. */
    wake: pause.end,
  };
}
