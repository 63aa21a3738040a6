import { setImmediate } from 'node:timers';

/**
 * Makes a function whose calls of one turn of the event loop are one call of `run`, with their items in order. It
 * returns a result for each. If it fails, all of them do.
 * @param options.oneByOne one call of `run` at a time: what comes meanwhile is in the next one
 */
export function together<Item, Result>(
  run: (items: Item[]) => Promise<readonly Result[]>,
  { oneByOne = false } = {},
): (item: Item) => Promise<Result> {
  interface Call {
    item: Item;
    resolve: (result: Result) => void;
    reject: (error: unknown) => void;
  }
  let waiting: Call[] = [];
  let isPlanned = false;

  async function runWaiting(): Promise<void> {
    const calls = waiting;
    waiting = [];
    if (!oneByOne) isPlanned = false;
    try {
      const results = await run(calls.map(({ item }) => item));
      calls.forEach(({ resolve }, nth) => resolve(results[nth]!));
    } catch (error) {
      for (const { reject } of calls) reject(error);
    }
    if (!oneByOne) return;
    isPlanned = false;
    plan();
  }

  function plan(): void {
    if (isPlanned || waiting.length === 0) return;
    isPlanned = true;
    setImmediate(() => void runWaiting());
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      plan();
    });
}
