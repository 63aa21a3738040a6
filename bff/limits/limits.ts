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
interface Asked {
  required: readonly Spend[];
  optional: readonly Spend[];
}

/** One that waits to be counted with others. */
interface Wish extends Asked {
  resolve: (taken: Taken) => void;
  reject: (error: unknown) => void;
}

/** What becomes of a request. `back`: what was counted for it, and is to be given back. */
type Decision = { back: readonly Spend[] } & ({ taken: Taken } | { refusal: AppError });

/** Of the requests that one statement counts: those that come later need not wait for more of them. */
const maxAtOnce = 200;

const spendsOf = ({ required, optional }: Asked) => [...required, ...optional];
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

  /** What a visitor has of one policy after a count, and whether that is more than there is. */
  function judge({ policy }: Spend, { points: used, msLeft }: Count) {
    const { points, windowSec, isPrivate = false } = policies[policy];
    // In memory a count ends when its window does, though the clock be set back meanwhile.
    const resetSec = Math.min(Math.max(Math.ceil(msLeft / 1_000), 1), windowSec);
    const state: LimitState = { policy, points, windowSec, remaining: Math.max(points - used, 0), resetSec };
    // When somebody else first used this address is not for this visitor to know.
    return { state, isPrivate, isOver: used > points, waitSec: isPrivate ? windowSec : resetSec };
  }

  function refusal(usedUp: readonly UsedUp[], shown: readonly LimitState[]): AppError {
    for (const { spend } of usedUp) deps.refusals.inc({ limit: spend.policy });
    return new AppError('rate_limited', {
      retryAfterSec: Math.max(...usedUp.map(({ waitSec }) => waitSec)),
      headers: limitHeaders(shown),
    });
  }

  /** Decides on one request. `countOf`: what each of its counts is with it. */
  function decide({ required, optional }: Asked, countOf: (spend: Spend) => Count): Decision {
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

  /** All are counted first, and those that are refused are given back before others are counted. */
  async function decideAll(wishes: readonly Wish[]): Promise<void> {
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
  /** One statement for all that come while another is under way. */
  const inRounds = createRounds(decideAll, maxAtOnce);

  /** What is counted in memory waits for nobody. */
  async function takeInMemory(asked: Asked): Promise<Taken> {
    const counts = new Map<Spend, Count>();
    for (const spend of spendsOf(asked)) counts.set(spend, await counters.addInMemory(spend, 1));
    const decision = decide(asked, (spend) => counts.get(spend)!);
    for (const spend of decision.back) await counters.addInMemory(spend, -1);
    if ('refusal' in decision) throw decision.refusal;
    return decision.taken;
  }

  async function takeFree(required: readonly Spend[], optional: readonly Spend[]): Promise<Taken> {
    const asked = { required, optional };
    if (!spendsOf(asked).some(counters.isDurable)) return takeInMemory(asked);
    return new Promise((resolve, reject) => inRounds({ ...asked, resolve, reject }));
  }

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
