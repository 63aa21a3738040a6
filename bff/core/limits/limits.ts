import type { Counter } from 'prom-client';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import type { Seal } from '../store/seal.ts';
import type { CounterStore, Limiter } from '../store/counters.ts';
import { policiesOf, type Policy, type PolicyName } from './policies.ts';

/** One point of `policy`. */
export interface Spend {
  policy: PolicyName;
  /**
   * What has a count of its own: a subject's id, a client's address, the hash of a mail address, or such a hash, a space
   * and another id. Empty for a policy with one count for all.
   */
  key: string;
}

/** What a visitor has left of one policy. */
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

/** Whether fewer than half of the points of any of these policies are left. */
export const isNear = (limits: readonly LimitState[]): boolean =>
  limits.some(({ points, remaining }) => remaining < points / 2);

/** A policy that is used up, and the seconds to wait. */
export interface UsedUp {
  spend: Spend;
  waitSec: number;
}

/** What a visitor got. `shown`: what is left of each policy, except those that also count others. */
export interface Taken {
  shown: readonly LimitState[];
  /** Optional points that were not taken, since they are used up. */
  usedUp: readonly UsedUp[];
}

/** A visitor's state of one policy. `isOver`: one more point than there are was asked for. */
interface Judged extends UsedUp {
  state: LimitState;
  isPrivate: boolean;
  isOver: boolean;
}

const shownOf = (all: readonly Judged[]) => all.flatMap(({ state, isPrivate }) => (isPrivate ? [] : state));
const usedUpOf = (all: readonly Judged[]): UsedUp[] =>
  all.flatMap(({ spend, waitSec, isOver }) => (isOver ? { spend, waitSec } : []));

/** Counts of windows at least this long survive a restart. */
const durableSec = 3_600;
const pruneMs = 3_600_000;

interface Counting {
  policy: Policy;
  /** In the store, for a long window. */
  stored: Limiter | null;
  /** For a short window, and while the store cannot be written. */
  memory: RateLimiterMemory;
}

/**
 * The rate limits. Counts of an hour and longer are kept in `counterStore`, by keyed hashes of their keys. While the
 * store cannot be written, it counts anew in memory, and this is reported to `onError`. Uses the system clock, not that
 * of the store.
 */
export function createLimits(deps: {
  counterStore: CounterStore;
  settings: Config['limits'];
  seal: Pick<Seal, 'hash'>;
  refusals: Pick<Counter<'limit'>, 'inc'>;
  onError: (error: unknown) => void;
}) {
  const { counterStore, seal, refusals, onError } = deps;
  const counting = new Map<string, Counting>(
    Object.entries<Policy>(policiesOf(deps.settings)).map(([name, policy]) => {
      const options = { points: policy.points, duration: policy.windowSec, keyPrefix: name };
      const stored = policy.windowSec >= durableSec ? counterStore.limiter(options) : null;
      return [name, { policy, stored, memory: new RateLimiterMemory(options) }];
    }),
  );

  let isClosed = false;
  /** Nobody waits for it. Errors after the end are ignored. */
  const inBackground = (chore: Promise<void>): void =>
    void chore.catch((error: unknown) => isClosed || onError(error));

  /** A count that would last longer than its window was begun before the clock was set back. */
  function shortenAll(): void {
    for (const [name, { policy, stored }] of counting)
      if (stored) inBackground(counterStore.shorten(`${name}:`, Date.now() + policy.windowSec * 1_000));
  }
  const prune = () => inBackground(counterStore.removeExpired(Date.now()));
  shortenAll();
  prune();
  const pruning = setInterval(prune, pruneMs).unref();

  /** Does this with the count of a spend, in memory if the store fails. */
  async function count<Result>(
    { policy, key }: Spend,
    act: (limiter: Limiter, key: string) => Promise<Result>,
  ): Promise<Result> {
    const { stored, memory } = counting.get(policy)!;
    if (!stored) return act(memory, key);
    try {
      return await act(stored, seal.hash('limit', key));
    } catch (error) {
      onError(error);
      return act(memory, key);
    }
  }

  const add = (spend: Spend, points: number): Promise<RateLimiterRes> =>
    count(spend, (limiter, key) => limiter.penalty(key, points));
  const read = (spend: Spend): Promise<RateLimiterRes | null> =>
    count(spend, (limiter, key) => limiter.get(key));

  async function giveBack(spends: readonly Spend[]): Promise<void> {
    await Promise.all(spends.map((spend) => add(spend, -1)));
  }

  function judge(spend: Spend, counted: RateLimiterRes | null): Judged {
    const { policy } = spend;
    const { points, windowSec, isPrivate = false } = counting.get(policy)!.policy;
    const used = counted?.consumedPoints ?? 0;
    // A count in memory ends with its window even if the clock is set back meanwhile.
    const resetSec = Math.min(Math.max(Math.ceil((counted?.msBeforeNext ?? 0) / 1_000), 1), windowSec);
    const state = { policy, points, windowSec, remaining: Math.max(points - used, 0), resetSec };
    // SECURITY: when somebody else first used this address must not be revealed to this visitor.
    return { spend, state, isPrivate, isOver: used > points, waitSec: isPrivate ? windowSec : resetSec };
  }

  function refusal(usedUp: readonly UsedUp[], shown: readonly LimitState[]): AppError {
    for (const { spend } of usedUp) refusals.inc({ limit: spend.policy });
    return new AppError('rate_limited', {
      retryAfterSec: Math.max(...usedUp.map(({ waitSec }) => waitSec)),
      headers: limitHeaders(shown),
    });
  }

  /**
   * Takes one point of each policy in `required`, or none at all, and of each in `optional` that is not used up. The
   * required ones one after the other, so that a refused request uses up little that others ask for at the same
   * moment. After a refusal the counts are only read.
   */
  async function takeFree(required: readonly Spend[], optional: readonly Spend[]): Promise<Taken> {
    const taken: Spend[] = [];
    const states: Judged[] = [];
    for (const spend of required) {
      const isTaken = !states.some(({ isOver }) => isOver);
      if (isTaken) taken.push(spend);
      states.push(judge(spend, await (isTaken ? add(spend, 1) : read(spend))));
    }
    if (states.some(({ isOver }) => isOver)) {
      await giveBack(taken);
      throw refusal(usedUpOf(states), shownOf(states));
    }
    states.push(...(await Promise.all(optional.map(async (spend) => judge(spend, await add(spend, 1))))));
    const usedUp = usedUpOf(states);
    await giveBack(usedUp.map(({ spend }) => spend));
    return { shown: shownOf(states), usedUp };
  }

  return {
    /**
     * Takes one point of each policy, or none at all. Returns what is left for the visitor, for the headers. Policies
     * that also count others are left out.
     * @throws {AppError} `rate_limited`, with the headers, when any is used up
     */
    take: (spends: readonly Spend[]): Promise<readonly LimitState[]> =>
      takeFree(spends, []).then(({ shown }) => shown),

    /** Like `take` for `required`. Also takes one point of each policy in `optional` that is not used up. */
    takeFree,

    /** The error to throw when the points that `takeFree` did not get are required after all. */
    refusal: ({ usedUp, shown }: Taken): AppError => refusal(usedUp, shown),

    /** For a request that was counted and then failed through no fault of the visitor. */
    giveBack,

    /** To be called when the system clock was set: from now on no count lasts longer than its window. */
    clockWasSet: shortenAll,

    close(): void {
      isClosed = true;
      clearInterval(pruning);
      counterStore.close();
    },
  };
}

export type Limits = ReturnType<typeof createLimits>;
