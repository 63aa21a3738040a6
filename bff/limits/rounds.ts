import { setImmediate } from 'node:timers';

/**
 * Hands what comes to `run`, which is called once at a time. What comes in one turn of the event loop, or meanwhile, is
 * handed over together, up to `atOnce`.
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
