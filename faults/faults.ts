import type { Random } from './random.ts';

/** What the caller of the ticket service gets to see. */
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
  /** The BFF is ended by SIGKILL as it waits for the answer. */
  'kill',
] as const;
export type Manner = (typeof manners)[number];

/** Whether the service executes the call all the same: never, before the caller sees anything, or long after it. */
export const commits = ['never', 'before', 'late'] as const;
export type Commit = (typeof commits)[number];

/** One thing that goes wrong with one call. */
export interface Fault {
  manner: Manner;
  commit: Commit;
  /** Virtual milliseconds from the call's arrival to a late commit. */
  lateMs: number;
}

/** These say that nothing was executed, so it never is. */
const neverCommits = new Set<Manner>(['status 429', 'status 401', 'status 422']);

export const nameOf = ({ manner, commit }: Pick<Fault, 'manner' | 'commit'>) =>
  commit === 'never' ? manner : `${manner}, commits ${commit}`;

/** How a profile chooses: the manners as often as they are in the list. */
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
