import type { Subscriber } from './hub.ts';

/**
 * Tells each subscriber on its own. One that cannot be told is reported and its stream ended: it comes back and starts
 * with a full sync. The others lose nothing by it.
 */
export function createTellEach(onError: (error: unknown) => void) {
  return async (
    subscribers: Iterable<Subscriber>,
    tell: (to: Subscriber) => Promise<void>,
  ): Promise<void> => {
    await Promise.all(
      Array.from(subscribers, async (to) => {
        try {
          await tell(to);
        } catch (error) {
          onError(error);
          to.end();
        }
      }),
    );
  };
}
