import type { Subscriber } from './hub.ts';

/**
 * Calls `send` for each subscriber separately. If one fails, the error is reported and that stream is ended: the browser
 * reconnects and starts with a full sync. The other subscribers are not affected.
 */
export function createBroadcast(onError: (error: unknown) => void) {
  return async (
    subscribers: Iterable<Subscriber>,
    send: (to: Subscriber) => Promise<void>,
  ): Promise<void> => {
    await Promise.all(
      Array.from(subscribers, async (to) => {
        try {
          await send(to);
        } catch (error) {
          onError(error);
          to.end();
        }
      }),
    );
  };
}
