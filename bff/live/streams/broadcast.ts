import type { Subscriber } from './hub.ts';

/**
 * Calls `send` for each subscriber separately. If one fails, the error is reported and that stream is ended: the browser
 * reconnects and starts with a full sync. The other subscribers are not affected. `send` returns a promise only if it
 * must wait, since thousands of promises take longer than what they wait for.
 */
export function createBroadcast(onError: (error: unknown) => void) {
  function fail(to: Subscriber, error: unknown): void {
    onError(error);
    to.end();
  }
  return async (
    subscribers: Iterable<Subscriber>,
    send: (to: Subscriber) => Promise<unknown> | undefined,
  ): Promise<void> => {
    const waiting: Promise<unknown>[] = [];
    for (const to of subscribers) {
      try {
        const sent = send(to);
        if (sent) waiting.push(sent.catch((error: unknown) => fail(to, error)));
      } catch (error) {
        fail(to, error);
      }
    }
    await Promise.all(waiting);
  };
}
