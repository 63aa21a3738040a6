import { clockJumps, type Fault, nameOfJump } from './faults.ts';
import { createRandom } from './random.ts';

/** Settings of the BFF. The first is also how long a send hangs before it fails. */
export const dueTimings = { upstreamTimeoutMs: 2_000, settleMs: 4_000 };

/** How one send fails, and the latest times of its next calls, in real milliseconds from its first call. */
export interface Trouble {
  name: string;
  fault: Fault;
  /** The latest time of the next call for it, of any kind. */
  nextByMs: number;
  /** When it is sent again; null where it has arrived. */
  resentByMs: number | null;
}

const trouble = (
  name: string,
  fault: Pick<Fault, 'manner' | 'commit'>,
  nextByMs: number,
  resentByMs: number | null,
): Trouble => ({ name, fault: { ...fault, lateMs: 0 }, nextByMs, resentByMs });

const firstLookMs = 500;
/** The `Date` of an answer has whole seconds. */
const provenByMs = dueTimings.settleMs + 1_000;

const troubles: readonly Trouble[] = [
  trouble('reset', { manner: 'reset', commit: 'never' }, firstLookMs, provenByMs),
  trouble('status 500', { manner: 'status 500', commit: 'never' }, firstLookMs, provenByMs),
  // The requested time, or at most half as long again.
  trouble('status 429', { manner: 'status 429', commit: 'never' }, 3_000, 3_000),
  trouble('hang', { manner: 'hang', commit: 'before' }, dueTimings.upstreamTimeoutMs + firstLookMs, null),
];
/** The sends of the killed process are due when the next process is up. */
const midSend = trouble('killed in mid-send', { manner: 'hang', commit: 'before' }, 0, null);

/** What happens in one run that is about due times; moments are real milliseconds since its sends. */
export interface DueSchedule {
  seed: number;
  hasFooter: boolean;
  /** One a send. */
  troubles: Trouble[];
  /** Counted from the moment when all sends are underway. */
  killAtMs: number | null;
  /** From this moment on, the wall clock of the BFF is wrong by this much. */
  shift: { atMs: number; byMs: number } | null;
}

const killedSends = 6;
/** Too few failures to open the breaker, which stops calls for a while after five failures in a row. */
const failingSends = 4;

/** The same for the same seed. */
export function createDueSchedule(seed: number): DueSchedule {
  const random = createRandom(seed);
  const killAtMs = random.chance(0.5) ? random.between(50, 1_000) : null;
  return {
    seed,
    hasFooter: random.chance(0.5),
    troubles: Array.from({ length: killAtMs === null ? failingSends : killedSends }, () =>
      killAtMs === null ? random.pick(troubles) : midSend,
    ),
    killAtMs,
    shift: random.chance(0.5) ? { atMs: random.between(300, 3_000), byMs: random.pick(clockJumps) } : null,
  };
}

export const describeDueSchedule = ({ seed, hasFooter, troubles: all, killAtMs, shift }: DueSchedule) =>
  [
    `due times, seed ${seed}, footer ${hasFooter ? 'on' : 'off'}`,
    `sends: ${all.map(({ name }) => name).join(', ')}`,
    ...(killAtMs === null ? [] : [`kill: ${killAtMs} ms after all are under way`]),
    ...(shift ? [`${nameOfJump(shift.byMs)}: ${shift.atMs} ms`] : []),
  ].join('\n');
