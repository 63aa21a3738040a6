/**
 * Hands what comes to `run`, which is called once at a time: what comes meanwhile waits, and is handed over together, up
 * to `atOnce`.
 */
export function createRounds<Item>(run: (items: Item[]) => Promise<void>, atOnce: number) {
  const waiting: Item[] = [];
  let isRunning = false;

  async function runAll(): Promise<void> {
    isRunning = true;
    try {
      while (waiting.length > 0) await run(waiting.splice(0, atOnce));
    } finally {
      isRunning = false;
    }
  }

  return (item: Item): void => {
    waiting.push(item);
    if (!isRunning) void runAll();
  };
}
