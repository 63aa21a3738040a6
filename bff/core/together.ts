import { setImmediate } from 'node:timers';

/** So that neither one call of `run` nor what follows from its results keeps other work waiting for long. */
const mostTogether = 100;

/**
 * Makes a function whose calls of one turn of the event loop are one call of `run`, with their items in order; of very
 * many, several. It returns a result for each. If it fails, all of them do.
 * @param options.atOnce how many calls of `run` at a time: what comes meanwhile is in the next ones
 */
export function together<Item, Result>(
  run: (items: Item[]) => Promise<readonly Result[]>,
  { atOnce = Infinity } = {},
): (item: Item) => Promise<Result> {
  interface Call {
    item: Item;
    resolve: (result: Result) => void;
    reject: (error: unknown) => void;
  }
  const waiting: Call[] = [];
  let underWay = 0;
  let isPlanned = false;

  async function runWaiting(): Promise<void> {
    const calls = waiting.splice(0, mostTogether);
    underWay += 1;
    isPlanned = false;
    plan();
    try {
      const results = await run(calls.map(({ item }) => item));
      calls.forEach(({ resolve }, nth) => resolve(results[nth]!));
    } catch (error) {
      for (const { reject } of calls) reject(error);
    }
    underWay -= 1;
    plan();
  }

  function plan(): void {
    if (isPlanned || waiting.length === 0 || underWay >= atOnce) return;
    isPlanned = true;
    setImmediate(() => void runWaiting());
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      plan();
    });
}
