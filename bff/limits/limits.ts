import type { Counter } from 'prom-client';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import type { Seal } from '../store/seal.ts';
import type { CounterStore } from './counter-store.ts';
import { policiesOf, type Policy, type PolicyName } from './policies.ts';
import { type Count, createRateCounters, type Spend } from './rate-counters.ts';
import { createRounds } from './rounds.ts';

export type { Spend };

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

/** Whether fewer than half of the points of any of these policies are left. */
export const isNear = (limits: readonly LimitState[]): boolean =>
  limits.some(({ points, remaining }) => remaining < points / 2);

/** One that is used up, and the seconds to wait for it. */
export interface UsedUp {
  spend: Spend;
  waitSec: number;
}

/** What a visitor got. `shown`: what is left of each policy that counts nobody else. */
export interface Taken {
  shown: readonly LimitState[];
  /** Those that were not taken. */
  usedUp: readonly UsedUp[];
}

/** What one request asks for: all of `required` or nothing at all, and what there is of `optional`. */
interface Wish {
  required: readonly Spend[];
  optional: readonly Spend[];
  resolve: (taken: Taken) => void;
  reject: (error: unknown) => void;
}

/** Of the requests that one statement counts: those that come later need not wait for more of them. */
const maxAtOnce = 200;

const idOf = ({ policy, key }: Spend) => `${policy} ${key}`;

/** How often each is named, by `idOf`. */
function timesOf(spends: readonly Spend[]): Map<string, { spend: Spend; times: number }> {
  const all = new Map<string, { spend: Spend; times: number }>();
  for (const spend of spends) all.set(idOf(spend), { spend, times: (all.get(idOf(spend))?.times ?? 0) + 1 });
  return all;
}

/** Who may do how much. Counts of an hour and longer are kept in `counterStore`, by keyed hashes of their keys. */
export function createLimits(deps: {
  counterStore: CounterStore;
  settings: Config['limits'];
  seal: Pick<Seal, 'hash'>;
  refusals: Pick<Counter<'limit'>, 'inc'>;
  onError: (error: unknown) => void;
}) {
  const policies: Record<PolicyName, Policy> = policiesOf(deps.settings);
  const counters = createRateCounters({ ...deps, policies });
  counters.shortenAll();

  /** Counts all of these. Returns what was used of each before, by `idOf`. */
  async function countAll(spends: readonly Spend[]): Promise<Map<string, Count>> {
    const all = [...timesOf(spends).values()];
    const counts = await counters.add(all.map(({ spend, times }) => ({ spend, points: times })));
    return new Map(
      all.map(({ spend, times }, n) => [idOf(spend), { ...counts[n]!, points: counts[n]!.points - times }]),
    );
  }

  async function giveBack(spends: readonly Spend[]): Promise<void> {
    const all = [...timesOf(spends).values()];
    await counters.add(all.map(({ spend, times }) => ({ spend, points: -times })));
  }

  function stateOf({ policy }: Spend, { points: usedPoints, msLeft }: Count): LimitState {
    const { points, windowSec } = policies[policy];
    // In memory a count ends when its window does, though the clock be set back meanwhile.
    const resetSec = Math.min(Math.max(Math.ceil(msLeft / 1_000), 1), windowSec);
    return { policy, points, windowSec, remaining: Math.max(points - usedPoints, 0), resetSec };
  }

  function refusal(usedUp: readonly UsedUp[], shown: readonly LimitState[]): AppError {
    for (const { spend } of usedUp) deps.refusals.inc({ limit: spend.policy });
    return new AppError('rate_limited', {
      retryAfterSec: Math.max(...usedUp.map(({ waitSec }) => waitSec)),
      headers: limitHeaders(shown),
    });
  }

  /** Decides on one request, and adds what it gets to `used`. `back`: what it does not get. */
  function settle(
    { required, optional, resolve, reject }: Wish,
    used: Map<string, Count>,
  ): { back: Spend[]; answer: () => void } {
    const isPrivate = ({ policy }: Spend) => policies[policy].isPrivate === true;
    const counts = new Map(
      [...required, ...optional].map((spend) => {
        const { points, msLeft } = used.get(idOf(spend))!;
        return [spend, { points: points + 1, msLeft }];
      }),
    );
    const shown = Array.from(counts).flatMap(([spend, count]) =>
      isPrivate(spend) ? [] : stateOf(spend, count),
    );
    const overIn = (spends: readonly Spend[]): UsedUp[] =>
      spends
        .filter((spend) => counts.get(spend)!.points > policies[spend.policy].points)
        .map((spend) => {
          // When somebody else first used this address is not for this visitor to know.
          const { windowSec, resetSec } = stateOf(spend, counts.get(spend)!);
          return { spend, waitSec: isPrivate(spend) ? windowSec : resetSec };
        });
    const refused = overIn(required);
    if (refused.length > 0) {
      return { back: [...counts.keys()], answer: () => reject(refusal(refused, shown)) };
    }
    const usedUp = overIn(optional);
    for (const { spend } of usedUp) counts.delete(spend);
    for (const [spend, count] of counts) used.set(idOf(spend), count);
    return { back: usedUp.map(({ spend }) => spend), answer: () => resolve({ shown, usedUp }) };
  }

  /** All are counted first, and those that are refused are given back before others are counted. */
  async function decide(wishes: readonly Wish[]): Promise<void> {
    try {
      const used = await countAll(wishes.flatMap(({ required, optional }) => [...required, ...optional]));
      const settled = wishes.map((wish) => settle(wish, used));
      for (const { back, answer } of settled) if (back.length === 0) answer();
      const refused = settled.filter(({ back }) => back.length > 0);
      if (refused.length === 0) return;
      await giveBack(refused.flatMap(({ back }) => back));
      for (const { answer } of refused) answer();
    } catch (error) {
      for (const { reject } of wishes) reject(error);
    }
  }
  /** One statement for all that come while another is under way. */
  const inRounds = createRounds(decide, maxAtOnce);

  const takeFree = (required: readonly Spend[], optional: readonly Spend[]): Promise<Taken> =>
    new Promise((resolve, reject) => {
      const wish = { required, optional, resolve, reject };
      // What is counted in memory does not wait for the store.
      if ([...required, ...optional].some(counters.isDurable)) inRounds(wish);
      else void decide([wish]);
    });

  return {
    /**
     * Takes one of each, or none at all. Returns what is left for the visitor, for the headers. Policies that also count
     * what others did are left out.
     * @throws {AppError} `rate_limited`, with the headers, when any is used up
     */
    take: async (spends: readonly Spend[]): Promise<readonly LimitState[]> =>
      (await takeFree(spends, [])).shown,

    /** The same for `required`, and one of each of `optional` that is not used up. */
    takeFree,

    /** What to throw where those that `takeFree` did not take are needed after all. */
    refusal: ({ usedUp, shown }: Taken): AppError => refusal(usedUp, shown),

    /** For a request that was counted and then failed without the visitor's doing. */
    giveBack,

    /** To be called when the system's clock was set: no count lasts longer than its window from now on. */
    clockWasSet: counters.shortenAll,

    close: counters.close,
  };
}

export type Limits = ReturnType<typeof createLimits>;
