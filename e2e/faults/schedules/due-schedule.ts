import { clockJumps, type Fault, nameOfJump } from './faults.ts';
import { createRandom } from './random.ts';

/** As the BFF is set; the first is also how long a send hangs before it fails. */
export const dueTimings = { upstreamTimeoutMs: 2_000, settleMs: 4_000 };

/** How one send fails, and by when it is to be on its way again: real milliseconds from then, at the latest. */
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
  // As long as it asks for, and half as long again at most.
  trouble('status 429', { manner: 'status 429', commit: 'never' }, 3_000, 3_000),
  trouble('hang', { manner: 'hang', commit: 'before' }, dueTimings.upstreamTimeoutMs + firstLookMs, null),
];
/** What the killed process was sending is due when the next one is up. */
const midSend = trouble('killed in mid-send', { manner: 'hang', commit: 'before' }, 0, null);

/** What happens in one run that is about due times; moments are real milliseconds since its sends. */
export interface DueSchedule {
  seed: number;
  hasFooter: boolean;
  /** One a send. */
  troubles: Trouble[];
  /** Since all of them are under way. */
  killAtMs: number | null;
  /** From then on the wall clock of the BFF is off by so much. */
  shift: { atMs: number; byMs: number } | null;
}

const killedSends = 6;
/** Fewer failures than open the breaker: after five in a row the BFF spares the service for a while. */
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
