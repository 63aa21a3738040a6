import type { Counter } from 'prom-client';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import type { Seal } from '../store/seal.ts';
import type { CounterStore } from './counter-store.ts';
import { createRateCounters } from './rate-counters.ts';
import { policiesOf, type Policy, type PolicyName } from './policies.ts';

/** One of what `policy` counts, by `key`: a subject's id, a client's address, the hash of a mail address. */
export interface Spend {
  policy: PolicyName;
  key: string;
}

/** What is left for the visitor of one policy. */
export interface LimitState {
  policy: PolicyName;
  points: number;
  windowSec: number;
  remaining: number;
  /** Seconds until all points are back. */
  resetSec: number;
}

/** The RateLimit header fields (draft-ietf-httpapi-ratelimit-headers-10); empty without limits. */
export function limitHeaders(limits: readonly LimitState[]): Record<string, string> {
  if (limits.length === 0) return {};
  const policy = limits.map((limit) => `"${limit.policy}";q=${limit.points};w=${limit.windowSec}`);
  const state = limits.map((limit) => `"${limit.policy}";r=${limit.remaining};t=${limit.resetSec}`);
  return { 'RateLimit-Policy': policy.join(', '), RateLimit: state.join(', ') };
}

/** Who may do how much. Counts of an hour and longer are kept in `counterStore`, by keyed hashes of their keys. */
export function createLimits(deps: {
  counterStore: CounterStore;
  settings: Config['limits'];
  seal: Pick<Seal, 'hash'>;
  refusals: Pick<Counter<'limit'>, 'inc'>;
  onError: (error: unknown) => void;
}) {
  const counters = createRateCounters(deps);
  const policies: Record<PolicyName, Policy> = policiesOf(deps.settings);
  const byName = new Map(
    Object.entries(policies).map(([name, each]) => [name, counters.counter(name, each)]),
  );
  counters.shortenAll();
  const counterOf = (spend: Spend) => byName.get(spend.policy)!;

  let turn: Promise<unknown> = Promise.resolve();
  /** Runs one visitor's changes to several counts without another's in between. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  }

  async function giveBack(spends: readonly Spend[]): Promise<void> {
    for (const spend of spends) await counterOf(spend).giveBack(spend.key);
  }

  async function usedOf(spend: Spend): Promise<number> {
    const count = await counterOf(spend).look(spend.key);
    // A count in memory may outlast its window by a moment.
    return count && count.msBeforeNext > 0 ? count.consumedPoints : 0;
  }

  async function takeAll(spends: readonly Spend[]): Promise<readonly LimitState[]> {
    const shown: LimitState[] = [];
    const waitsSec: number[] = [];
    for (const spend of spends) {
      const { consumedPoints, msBeforeNext } = await counterOf(spend).take(spend.key);
      const { points, windowSec, isPrivate } = policies[spend.policy];
      // In memory a count ends when its window does, though the clock be set back meanwhile.
      const resetSec = Math.min(Math.max(Math.ceil(msBeforeNext / 1_000), 1), windowSec);
      // When somebody else first used this address is not for this visitor to know.
      if (consumedPoints > points) {
        deps.refusals.inc({ limit: spend.policy });
        waitsSec.push(isPrivate ? windowSec : resetSec);
      }
      const remaining = Math.max(points - consumedPoints, 0);
      if (!isPrivate) shown.push({ policy: spend.policy, points, windowSec, remaining, resetSec });
    }
    if (waitsSec.length === 0) return shown;
    await giveBack(spends);
    throw new AppError('rate_limited', {
      retryAfterSec: Math.max(...waitsSec),
      headers: limitHeaders(shown),
    });
  }

  return {
    /**
     * Takes one of each, or none at all. Returns what is left for the visitor, for the headers. Policies that also count
     * what others did are left out.
     * @throws {AppError} `rate_limited`, with the headers, when any is used up
     */
    take: (spends: readonly Spend[]) => inTurn(() => takeAll(spends)),

    /** For a request that was counted and then failed without the visitor's doing. */
    giveBack: (spends: readonly Spend[]) => inTurn(() => giveBack(spends)),

    /** Whether taking this one would be refused. */
    async isUsedUp(spend: Spend): Promise<boolean> {
      return (await usedOf(spend)) >= policies[spend.policy].points;
    },

    /**
     * Whether fewer than half of any policy's points would be left after taking these. Policies that also count
     * what others did are ignored.
     */
    async isNear(spends: readonly Spend[]): Promise<boolean> {
      for (const spend of spends) {
        const { points, isPrivate } = policies[spend.policy];
        if (isPrivate) continue;
        if (points - (await usedOf(spend)) - 1 < points / 2) return true;
      }
      return false;
    },

    /** To be called when the system's clock was set: no count lasts longer than its window from now on. */
    clockWasSet: counters.shortenAll,

    close: counters.close,
  };
}

export type Limits = ReturnType<typeof createLimits>;
