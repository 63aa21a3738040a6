import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import type { Seal } from '../store/seal.ts';
import type { CounterStore, StoredCount } from './counter-store.ts';
import type { Policy, PolicyName } from './policies.ts';

/** One point of `policy`, counted by `key`: a subject's id, a client's address, or the hash of a mail address. */
export interface Spend {
  policy: PolicyName;
  key: string;
}

/** The points spent in a window, and the milliseconds until it ends. */
export interface Count {
  points: number;
  msLeft: number;
}

/** Points to add to one count, or to give back if negative. */
export interface Change {
  spend: Spend;
  points: number;
}

/** Counts of windows at least this long survive a restart. */
const durableSec = 3_600;
const pruneMs = 3_600_000;

const nothing: ReadonlyMap<string, StoredCount> = new Map();

/** Adds the counts of one window in two places. The count in memory may outlast the window by a moment. */
function sum(stored: StoredCount | undefined, here: RateLimiterRes | null): Count {
  const inStore = { points: stored?.points ?? 0, msLeft: Math.max((stored?.expire ?? 0) - Date.now(), 0) };
  if (!here || here.msBeforeNext <= 0) return inStore;
  return {
    points: inStore.points + here.consumedPoints,
    msLeft: Math.max(inStore.msLeft, here.msBeforeNext),
  };
}

/**
 * Counters of the rate limits. Counts of long windows are in `counterStore`, and counts of short windows are in
 * memory. While the store cannot be written, all counts are in memory, and this is reported to `onError`. Uses the
 * system clock, which can be set for the store.
 */
export function createRateCounters({
  counterStore,
  policies,
  seal,
  onError,
}: {
  counterStore: CounterStore;
  policies: Readonly<Record<PolicyName, Policy>>;
  seal: Pick<Seal, 'hash'>;
  onError: (error: unknown) => void;
}) {
  const names = Object.keys(policies) as PolicyName[];
  const inMemory = new Map(
    names.map((name) => {
      const { points, windowSec: duration } = policies[name];
      return [name, new RateLimiterMemory({ points, duration })];
    }),
  );
  const isDurable = ({ policy }: Spend) => policies[policy].windowSec >= durableSec;
  const storedKey = ({ policy, key }: Spend) => `${policy}:${seal.hash('limit', key)}`;

  let isClosed = false;
  /** Nobody waits for it. Errors after the end are ignored. */
  const inBackground = (chore: Promise<void>): void =>
    void chore.catch((error: unknown) => isClosed || onError(error));

  /** A count that would last longer than its window was begun before the clock was set back. */
  function shortenAll(): void {
    for (const [name, { windowSec }] of Object.entries(policies))
      if (windowSec >= durableSec)
        inBackground(counterStore.shorten(`${name}:`, Date.now() + windowSec * 1_000));
  }
  const prune = () => inBackground(counterStore.removeExpired(Date.now()));
  prune();
  const pruning = setInterval(prune, pruneMs).unref();

  /** Points given back to an expired window are lost: the count that they are added to expires at once. */
  const toStored = ({ spend, points }: Change): StoredCount => ({
    points,
    expire: Date.now() + (points > 0 ? policies[spend.policy].windowSec * 1_000 : 0),
  });

  /** The new counts by key. Null when the store could not be changed. */
  async function addInStore(changes: ReadonlyMap<string, StoredCount>) {
    try {
      return changes.size === 0 ? nothing : await counterStore.add(changes);
    } catch (error) {
      onError(error);
      return null;
    }
  }

  return {
    isDurable,

    /** Adds to a count that is kept in memory, also above the limit. Returns the new count. */
    addInMemory: ({ policy, key }: Spend, points: number): Promise<Count> =>
      inMemory
        .get(policy)!
        .penalty(key, points)
        .then(({ consumedPoints, msBeforeNext }) => ({ points: consumedPoints, msLeft: msBeforeNext })),

    /**
     * Adds to all of these counts with one statement, even above the limit. Returns the new counts. Changes that the
     * store does not accept are added to the counts in memory.
     * @param changes each count once
     */
    async add(changes: readonly Change[]): Promise<Count[]> {
      const keys = changes.map(({ spend }) => (isDurable(spend) ? storedKey(spend) : null));
      const forStore = new Map(
        changes.flatMap((change, n) => (keys[n] == null ? [] : [[keys[n], toStored(change)] as const])),
      );
      const added = await addInStore(forStore);
      const stored = added ?? (await counterStore.get([...forStore.keys()]).catch(() => nothing));
      return Promise.all(
        changes.map(async ({ spend, points }, n) => {
          const memory = inMemory.get(spend.policy)!;
          const isStored = keys[n] != null && added !== null;
          const here = await (isStored ? memory.get(spend.key) : memory.penalty(spend.key, points));
          return sum(stored.get(keys[n] ?? ''), here);
        }),
      );
    },

    /** After the clock may have been set: from now on no count lasts longer than its window. */
    shortenAll,
    close(): void {
      isClosed = true;
      clearInterval(pruning);
      counterStore.close();
    },
  };
}
