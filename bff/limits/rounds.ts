import { setImmediate } from 'node:timers';

/**
 * Passes items to `run` in batches of up to `atOnce`, one batch at a time. Items that arrive in one turn of the event
 * loop, or while `run` is busy, form the next batch.
 */
export function createRounds<Item>(run: (items: Item[]) => Promise<void>, atOnce: number) {
  const waiting: Item[] = [];
  let isRunning = false;

  async function runAll(): Promise<void> {
    try {
      while (waiting.length > 0) await run(waiting.splice(0, atOnce));
    } finally {
      isRunning = false;
    }
  }

  return (item: Item): void => {
    waiting.push(item);
    if (isRunning) return;
    isRunning = true;
    setImmediate(() => void runAll());
  };
}
