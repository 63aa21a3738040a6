import type { Random } from './random.ts';

/** The result that the caller of the ticket service sees. */
export const manners = [
  'reset',
  'hang',
  'drip',
  'status 500',
  'status 502',
  'status 503',
  'status 429',
  'status 401',
  'status 422',
  'html',
  'truncated',
  'huge',
  'gzip bomb',
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

/** The wrong values that the `Date` header of an answer may have. */
export const wrongDates = [
  'a year ahead',
  'a year back',
  'an hour ahead',
  'an hour back',
  'unparsable',
  'missing',
] as const;
export type WrongDate = (typeof wrongDates)[number];

const hourMs = 3_600_000;
const yearMs = 365 * 24 * hourMs;
const offBy = {
  'a year ahead': yearMs,
  'a year back': -yearMs,
  'an hour ahead': hourMs,
  'an hour back': -hourMs,
};

/** The value of a `Date` header at this moment (Unix milliseconds); null for none. */
export function dateHeader(now: number, wrong: WrongDate | null): string | null {
  if (wrong === 'missing') return null;
  if (wrong === 'unparsable') return 'yesterday, or so';
  return new Date(now + (wrong ? offBy[wrong] : 0)).toUTCString();
}

/** By how much the wall clock of the BFF jumps, in milliseconds. */
export const clockJumps = [2 * hourMs, -2 * hourMs, hourMs, -hourMs, 660_000, -660_000] as const;
export const nameOfJump = (byMs: number) => `clock ${byMs > 0 ? '+' : '-'}${Math.abs(byMs) / 60_000} min`;
