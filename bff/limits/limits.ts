import type { Counter } from 'prom-client';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import type { Seal } from '../store/seal.ts';
import type { CounterStore } from './counter-store.ts';
import { policiesOf, type Policy, type PolicyName } from './policies.ts';
import { type Count, createRateCounters, type Spend } from './rate-counters.ts';
import { createRounds } from './rounds.ts';

export type { Spend };

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

/** What one request needs: all of `required` or nothing at all, and as much of `optional` as is free. */
interface LimitRequest {
  required: readonly Spend[];
  optional: readonly Spend[];
}

/** A request that waits to be counted together with others. */
interface QueuedRequest extends LimitRequest {
  resolve: (taken: Taken) => void;
  reject: (error: unknown) => void;
}

/** The decision on a request. `back`: points counted for it that must be given back. */
type Decision = { back: readonly Spend[] } & ({ taken: Taken } | { refusal: AppError });

/** The maximum number of requests that one statement counts, so that later requests do not wait too long. */
const maxAtOnce = 200;

const spendsOf = ({ required, optional }: LimitRequest) => [...required, ...optional];
const idOf = ({ policy, key }: Spend) => `${policy} ${key}`;

/** How often each count occurs, by `idOf`. */
function timesOf(spends: readonly Spend[]): Map<string, { spend: Spend; times: number }> {
  const all = new Map<string, { spend: Spend; times: number }>();
  for (const spend of spends) all.set(idOf(spend), { spend, times: (all.get(idOf(spend))?.times ?? 0) + 1 });
  return all;
}

/** The rate limits. Counts of an hour and longer are kept in `counterStore`, by keyed hashes of their keys. */
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

  /** Counts all of these. Returns the counts before, by `idOf`. */
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

  /** A visitor's state of one policy after a count, and whether that is above the limit. */
  function judge({ policy }: Spend, { points: used, msLeft }: Count) {
    const { points, windowSec, isPrivate = false } = policies[policy];
    // A count in memory ends with its window even if the clock is set back meanwhile.
    const resetSec = Math.min(Math.max(Math.ceil(msLeft / 1_000), 1), windowSec);
    const state: LimitState = { policy, points, windowSec, remaining: Math.max(points - used, 0), resetSec };
    // SECURITY: when somebody else first used this address must not be revealed to this visitor.
    return { state, isPrivate, isOver: used > points, waitSec: isPrivate ? windowSec : resetSec };
  }

  function refusal(usedUp: readonly UsedUp[], shown: readonly LimitState[]): AppError {
    for (const { spend } of usedUp) deps.refusals.inc({ limit: spend.policy });
    return new AppError('rate_limited', {
      retryAfterSec: Math.max(...usedUp.map(({ waitSec }) => waitSec)),
      headers: limitHeaders(shown),
    });
  }

  /** Decides on one request. `countOf`: each of its counts in their order, including the request itself. */
  function decide({ required, optional }: LimitRequest, countOf: (spend: Spend) => Count): Decision {
    const shown: LimitState[] = [];
    const judgeAll = (spends: readonly Spend[]): UsedUp[] =>
      spends.flatMap((spend) => {
        const { state, isPrivate, isOver, waitSec } = judge(spend, countOf(spend));
        if (!isPrivate) shown.push(state);
        return isOver ? { spend, waitSec } : [];
      });
    const refused = judgeAll(required);
    const usedUp = judgeAll(optional);
    if (refused.length > 0) return { back: [...required, ...optional], refusal: refusal(refused, shown) };
    return { back: usedUp.map(({ spend }) => spend), taken: { shown, usedUp } };
  }

  /** Counts all requests first, and gives back the points of refused ones before the next round. */
  async function decideAll(wishes: readonly QueuedRequest[]): Promise<void> {
    try {
      const used = await countAll(wishes.flatMap(spendsOf));
      const answers = wishes.map((wish) => {
        const decision = decide(wish, (spend) => {
          const { points, msLeft } = used.get(idOf(spend))!;
          return { points: points + 1, msLeft };
        });
        const { back } = decision;
        for (const spend of spendsOf(wish)) if (!back.includes(spend)) used.get(idOf(spend))!.points += 1;
        const answer = () =>
          'taken' in decision ? wish.resolve(decision.taken) : wish.reject(decision.refusal);
        return { back, answer };
      });
      for (const { back, answer } of answers) if (back.length === 0) answer();
      const refused = answers.filter(({ back }) => back.length > 0);
      if (refused.length === 0) return;
      await giveBack(refused.flatMap(({ back }) => back));
      for (const { answer } of refused) answer();
    } catch (error) {
      for (const { reject } of wishes) reject(error);
    }
  }
  /** One statement counts all requests that arrive while another statement runs. */
  const inRounds = createRounds(decideAll, maxAtOnce);

  /** Counts in memory need no round. */
  async function takeInMemory(asked: LimitRequest): Promise<Taken> {
    const counts: Count[] = [];
    for (const spend of spendsOf(asked)) counts.push(await counters.addInMemory(spend, 1));
    let at = 0;
    const decision = decide(asked, () => counts[at++]!);
    for (const spend of decision.back) await counters.addInMemory(spend, -1);
    if ('refusal' in decision) throw decision.refusal;
    return decision.taken;
  }

  function takeFree(required: readonly Spend[], optional: readonly Spend[]): Promise<Taken> {
    const asked = { required, optional };
    if (!spendsOf(asked).some(counters.isDurable)) return takeInMemory(asked);
    return new Promise((resolve, reject) => inRounds({ ...asked, resolve, reject }));
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
    clockWasSet: counters.shortenAll,

    close: counters.close,
  };
}

export type Limits = ReturnType<typeof createLimits>;
