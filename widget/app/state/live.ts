import type { Api } from '../api/client.ts';
import type { ServerEvent } from '../api/shapes.ts';
import type { Clock } from './clock.ts';
import { backoffMs } from './clock.ts';
import { signal } from './signal.ts';

interface LiveOptions {
  api: Api;
  clock: Clock;
  onEvent: (event: ServerEvent) => void;
  /** Reads by plain requests what the stream would have brought. */
  poll: () => Promise<void>;
  /** The BFF does not know this browser's session. */
  onUnauthenticated: () => void;
}

/** A break shorter than this is not worth a word on the screen. */
const lateAfterMs = 4_000;
const pollAfterFailures = 3;
const pollEveryMs = 15_000;

/** The event stream, kept up: reconnects with backoff, and polls while it cannot be had. */
export function createLive({ api, clock, onEvent, poll, onUnauthenticated }: LiveOptions) {
  /** True when the stream has been down for longer than a moment: the screen may be out of date. */
  const isLate = signal(false);
  let connection: { thread: string | null; abort: AbortController } | null = null;
  let wakeUp = () => {};
  let cancelLate: (() => void) | null = null;

  function markDown() {
    cancelLate ??= clock.after(lateAfterMs, () => {
      isLate.value = true;
    });
  }

  function markUp() {
    cancelLate?.();
    cancelLate = null;
    isLate.value = false;
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
      const hear = (event: ServerEvent) => {
        failures = 0;
        markUp();
        onEvent(event);
      };
      const { code, retryAfterSec } = await api.events(thread, hear, ended);
      if (ended.aborted) return;
      if (code === 'unauthenticated') {
        stop();
        onUnauthenticated();
        return;
      }
      failures += 1;
      const isPolling = failures >= pollAfterFailures;
      if (isPolling) await poll();
      if (ended.aborted) return;
      await pause(Math.max(retryAfterSec * 1000, isPolling ? pollEveryMs : backoffMs(failures)));
    }
  }

  function stop() {
    connection?.abort.abort();
    connection = null;
    wakeUp();
    markUp();
  }

  return {
    isLate,
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

export type LiveModel = ReturnType<typeof createLive>;
