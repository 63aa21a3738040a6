import type { Random } from './random.ts';

/** The result that the caller of the ticket service sees. What it makes of other answers: `bff/core/v1/client.test.ts`. */
export const manners = [
  'reset',
  'hang',
  'status 503',
  'status 429',
  'status 401',
  'status 422',
  /** The BFF is killed by SIGKILL while it waits for the answer. */
  'kill',
] as const;
export type Manner = (typeof manners)[number];

/**
 * Whether the service executes the call despite the fault: never, before the caller sees a result, or long after it.
 */
export const commits = ['never', 'before', 'late'] as const;
export type Commit = (typeof commits)[number];

/** One fault of one call. */
export interface Fault {
  manner: Manner;
  commit: Commit;
  /** Virtual milliseconds from the call's arrival to a late commit. */
  lateMs: number;
}

/** These answers say that nothing was executed, so the call is never executed. */
const neverCommits = new Set<Manner>(['status 429', 'status 401', 'status 422']);

export const nameOf = ({ manner, commit }: Pick<Fault, 'manner' | 'commit'>) =>
  commit === 'never' ? manner : `${manner}, commits ${commit}`;

/** The weights of a profile: each manner is chosen as often as it is in the list. */
export interface FaultChoice {
  manners: readonly Manner[];
  commits: readonly Commit[];
  /** Longest time to a late commit, virtual milliseconds. */
  latestMs: number;
}

export function chooseFault(random: Random, choice: FaultChoice): Fault {
  const manner = random.pick(choice.manners);
  const lateMs = random.between(1, choice.latestMs);
  const commit = neverCommits.has(manner) ? 'never' : random.pick(choice.commits);
  return { manner, commit, lateMs };
}

const hourMs = 3_600_000;
const yearMs = 365 * 24 * hourMs;

/** The wrong values that the `Date` header of an answer may have: off by so many milliseconds, or these texts. */
export const wrongDates = {
  'a year ahead': yearMs,
  'a year back': -yearMs,
  'an hour ahead': hourMs,
  'an hour back': -hourMs,
  unparsable: 'yesterday, or so',
  missing: '',
} as const;
export type WrongDate = keyof typeof wrongDates;

/** The value of a `Date` header at this moment (Unix milliseconds); empty for none. */
export function dateHeader(now: number, wrong: WrongDate | undefined): string {
  const off = wrong ? wrongDates[wrong] : 0;
  return typeof off === 'string' ? off : new Date(now + off).toUTCString();
}
