import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Seal } from '../store/seal.ts';
import type { CounterStore } from './counter-store.ts';
import type { Policy } from './policies.ts';

/** How often one key of one policy was counted in its window; null: not at all. */
export interface RateCounter {
  /** Counts one more, also above the limit. */
  take(key: string): Promise<RateLimiterRes>;
  giveBack(key: string): Promise<RateLimiterRes>;
  look(key: string): Promise<RateLimiterRes | null>;
}

/** Windows at least as long as this outlive a restart. */
const durableSec = 3_600;
const pruneMs = 3_600_000;

type Change = (key: string) => Promise<RateLimiterRes>;

/** One too many is counted as well. */
const counted = (count: Promise<RateLimiterRes>) =>
  count.catch((refusal: unknown) => {
    if (refusal instanceof RateLimiterRes) return refusal;
    throw refusal;
  });

/** The same window, counted in two places. A count in memory may outlast it by a moment. */
function sum(count: RateLimiterRes, other: RateLimiterRes | null): RateLimiterRes {
  if (!other || other.msBeforeNext <= 0) return count;
  const points = count.consumedPoints + other.consumedPoints;
  return new RateLimiterRes(0, Math.max(count.msBeforeNext, other.msBeforeNext), points, false);
}

/**
 * Counters of the rate limits. They are in `counterStore` where the window is long, in memory where it is short, and in
 * memory for as long as the store cannot be written, which is reported to `onError`. Uses the system's clock, which can
 * be set for the store.
 */
export function createRateCounters({
  counterStore,
  seal,
  onError,
}: {
  counterStore: CounterStore;
  seal: Pick<Seal, 'hash'>;
  onError: (error: unknown) => void;
}) {
  const hashOf = (key: string) => seal.hash('limit', key);

  /** Policies whose counts are in the store, with their windows. */
  const durable = new Map<string, number>();

  /** A count that would last longer than its window was begun before the clock was set back. */
  const shorten = (name: string, windowSec: number) =>
    counterStore.shorten(`${name}:`, Date.now() + windowSec * 1_000);

  function shortenAll(): void {
    for (const [name, windowSec] of durable) void shorten(name, windowSec).catch(onError);
  }
  const prune = () => void counterStore.removeExpired(Date.now()).catch(onError);
  prune();
  const pruning = setInterval(prune, pruneMs).unref();

  return {
    counter(name: string, { points, windowSec }: Policy): RateCounter {
      const options = { keyPrefix: name, points, duration: windowSec };
      const memory = new RateLimiterMemory(options);
      const stored = counterStore.limiter(options);
      if (windowSec < durableSec)
        return {
          take: (key) => counted(memory.consume(key)),
          giveBack: (key) => memory.reward(key),
          look: (key) => memory.get(key),
        };
      durable.set(name, windowSec);
      /** What the store did not take is counted in memory, in addition to the count there. */
      async function change(inStore: Change, inMemory: Change, key: string): Promise<RateLimiterRes> {
        try {
          return sum(await inStore(key), await memory.get(key));
        } catch (error) {
          onError(error);
          return sum(await inMemory(key), await lookInStore(key));
        }
      }
      const lookInStore = (key: string) => stored.get(key).catch(() => null);
      return {
        take: (key) =>
          change(
            (each) => counted(stored.consume(each)),
            (each) => counted(memory.consume(each)),
            hashOf(key),
          ),
        giveBack: (key) =>
          change(
            (each) => stored.reward(each),
            (each) => memory.reward(each),
            hashOf(key),
          ),
        async look(key) {
          const hash = hashOf(key);
          const [inStore, inMemory] = [await lookInStore(hash), await memory.get(hash)];
          return inStore ? sum(inStore, inMemory) : inMemory;
        },
      };
    },
    /** After the clock was set, or may have been: no count lasts longer than its window from now on. */
    shortenAll,
    close(): void {
      clearInterval(pruning);
      counterStore.close();
    },
  };
}
