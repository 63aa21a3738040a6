import { setImmediate } from 'node:timers';

/** As long as one waits for a connection of the store. */
const patienceMs = 2_000;

/** So that neither one call of `run` nor what follows from its results keeps other work waiting for long. */
const mostTogether = 100;

/**
 * Makes a function whose calls of one turn of the event loop are one call of `run`, with their items in order; of very
 * many, several. It returns a result for each. If it fails, all of them do.
 * @param options.atOnce how many calls of `run` at a time: what comes meanwhile is in the next ones
 * @param options.isAway whether a failure means that the next calls of `run` would fail, too. What has waited for long then
 *   fails with it. Otherwise more and more calls would wait, since each `run` takes seconds to fail.
 */
export function together<Item, Result>(
  run: (items: Item[]) => Promise<readonly Result[]>,
  { atOnce = Infinity, isAway = (_error: unknown): boolean => false } = {},
): (item: Item) => Promise<Result> {
  interface Call {
    item: Item;
    since: number;
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
      const firstPatient = waiting.findIndex(({ since }) => performance.now() - since < patienceMs);
      const impatient = isAway(error) ? waiting.splice(0, firstPatient < 0 ? Infinity : firstPatient) : [];
      for (const { reject } of [...calls, ...impatient]) reject(error);
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
      waiting.push({ item, since: performance.now(), resolve, reject });
      plan();
    });
}
