import fc from 'fast-check';
import '../seed.ts';
import { leaseMs, type Point, points, settleMs } from './instance.ts';
import { type ReadFault, timeoutMs, type WriteFault } from './service.ts';

/**
 * The next step. `at`: the instance. `send`: the number of an earlier send; numbers past the last one start again
 * with the first. Times are milliseconds.
 */
export type Step = CustomerStep | Fault | LastingFault;

export type CustomerStep =
  | { do: 'ticket'; at: number; text: string; customer: number }
  | { do: 'reply'; at: number; send: number; text: string }
  /** Repeats a request with its key, as a browser without an answer does. */
  | { do: 'repeat'; at: number; send: number }
  | { do: 'send again'; at: number; send: number }
  /** Shows the conversation to its customer. */
  | { do: 'show'; at: number; send: number }
  /** All instances poll for what is due. */
  | { do: 'poll' }
  | { do: 'pass'; ms: number };

/** Faults from which an operation recovers by itself once they are over. */
export type Fault =
  | { do: 'fault of a write'; fault: WriteFault }
  | { do: 'fault of a read'; fault: ReadFault }
  | { do: 'outage'; ms: number }
  /** The store loses its answer to the next send of the instance, and commits the send after `ms`. */
  | { do: 'lost answer'; at: number; ms: number }
  /** Freezes the instance when it next reaches the point. */
  | { do: 'freeze'; at: number; point: Point; ms: number }
  /**
   * Kills the instance when it next reaches the point, or at once when `point` is null. Another process replaces it.
   */
  | { do: 'kill'; at: number; point: Point | null };

/** Faults that may leave an operation to its customer, or delay it by the difference of clocks. */
export type LastingFault =
  /** Enough external tickets arrive that the list shows no others. */
  | { do: 'fill' }
  | { do: 'clock'; at: number; aheadMs: number }
  /** Keeps a copy of the store. */
  | { do: 'copy' }
  /** All processes end, the store is set back to the copy, and others are started. */
  | { do: 'set back' };

export interface Schedule {
  /** Whether tickets have the line for agents, with a ref. */
  hasFooter: boolean;
  steps: readonly Step[];
}

export const instances = 3;

/** The greatest delay, with a freeze shorter than a lease and the longest lag, less than the settle time. */
const latestMs = 25_000;
const longestLagMs = 15_000;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const place = { at: fc.nat({ max: instances - 1 }) };
const aboutSend = { ...place, send: fc.nat({ max: 7 }) };
// Few texts, so that several sends have the same text.
const text = fc.constantFrom('one', 'two');

/** Steps with this name and drawn fields. */
export function step<Name extends string, Fields extends object>(
  name: Name,
  fields: { [Field in keyof Fields]: fc.Arbitrary<Fields[Field]> },
) {
  return fc.record(fields).map((values) => ({ do: name, ...(values as Fields) }));
}

const ticket = step('ticket', { ...place, text, customer: fc.nat({ max: 1 }) });
const reply = step('reply', { ...aboutSend, text });
const customerStep: fc.Arbitrary<CustomerStep> = fc.oneof(
  { weight: 4, arbitrary: ticket },
  { weight: 5, arbitrary: reply },
  { weight: 2, arbitrary: step('repeat', aboutSend) },
  { weight: 1, arbitrary: step('send again', aboutSend) },
  { weight: 1, arbitrary: step('show', aboutSend) },
  { weight: 2, arbitrary: fc.constant<CustomerStep>({ do: 'poll' }) },
  {
    weight: 4,
    arbitrary: step('pass', {
      ms: fc.constantFrom(100, 1_000, timeoutMs, leaseMs + 1_000, settleMs / 2, settleMs + 1_000),
    }),
  },
);

const writeFault = fc.constantFrom<WriteFault>(
  { how: 'lost' },
  { how: 'never' },
  { how: 'slow', ms: timeoutMs - 500 },
  { how: 'late', ms: timeoutMs + 500 },
  { how: 'late', ms: leaseMs + 1_000 },
  { how: 'late', ms: latestMs },
  { how: 'refused', status: 404 },
  { how: 'refused', status: 409 },
  { how: 'refused', status: 413 },
  { how: 'refused', status: 422 },
  { how: 'not connected' },
  { how: 'limited', ms: 5_000 },
);
const readFault = fc.constantFrom<ReadFault>(
  { how: 'failed' },
  { how: 'partial' },
  { how: 'slow', ms: timeoutMs - 500 },
  { how: 'lagging', ms: 3_000 },
  { how: 'lagging', ms: longestLagMs },
);
const point = fc.constantFrom(...points);
/** The longest freeze outlasts both the lease and the time until a send in doubt counts as absent. */
const frozenMs = fc.constantFrom(timeoutMs, leaseMs + 1_000, settleMs - 1_000, 2 * settleMs);

const fault: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 8, arbitrary: step('fault of a write', { fault: writeFault }) },
  { weight: 5, arbitrary: step('fault of a read', { fault: readFault }) },
  { weight: 1, arbitrary: step('outage', { ms: fc.constantFrom(timeoutMs, minuteMs) }) },
  { weight: 2, arbitrary: step('lost answer', { ...place, ms: fc.constantFrom(0, 3_000) }) },
  { weight: 6, arbitrary: step('freeze', { ...place, point, ms: frozenMs }) },
  { weight: 3, arbitrary: step('kill', { ...place, point: fc.option<Point>(point) }) },
);

const aheadMs = fc.constantFrom(
  0,
  11 * minuteMs,
  -11 * minuteMs,
  2 * hourMs,
  -2 * hourMs,
  // Longer than the ledger keeps trying.
  96 * hourMs,
);
const lastingFault: fc.Arbitrary<LastingFault> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<LastingFault>({ do: 'fill' }) },
  { weight: 2, arbitrary: fc.constant<LastingFault>({ do: 'copy' }) },
  { weight: 1, arbitrary: fc.constant<LastingFault>({ do: 'set back' }) },
  { weight: 3, arbitrary: step('clock', { ...place, aheadMs }) },
);

/** A fault, and a send during it. */
const metFault: fc.Arbitrary<Step[]> = fc
  .tuple(fault, fc.oneof(ticket, reply))
  .map(([met, send]) => [met, 'at' in met ? { ...send, at: met.at } : send]);
/** A fault and a send, while the clock of that instance is set. */
const metWhileSet: fc.Arbitrary<Step[]> = fc
  .tuple(metFault, aheadMs)
  .map(([[met, send], ms]) => [met!, send!, { do: 'clock', at: 'at' in send! ? send.at : 0, aheadMs: ms }]);
/** A send that the copy of the store has as not sent, and that is sent before the store is set back. */
const sentAndSetBack: fc.Arbitrary<Step[]> = fc
  .tuple(fc.oneof(ticket, reply), fc.constantFrom(1_000, minuteMs, settleMs + minuteMs))
  .map(([send, ms]) => [
    { do: 'outage', ms: timeoutMs },
    send,
    { do: 'copy' },
    { do: 'pass', ms: timeoutMs + ms },
    { do: 'set back' },
  ]);

export const alone = <One>(arbitrary: fc.Arbitrary<One>): fc.Arbitrary<One[]> =>
  arbitrary.map((each) => [each]);

interface Weights {
  customers: number;
  faults: number;
  lasting: number;
}
const mixOf = ({ customers, faults, lasting }: Weights) =>
  fc.oneof(
    { weight: customers, arbitrary: alone(customerStep) },
    { weight: faults, arbitrary: alone(fault) },
    { weight: faults, arbitrary: metFault },
    { weight: lasting, arbitrary: alone(lastingFault) },
    { weight: lasting, arbitrary: metWhileSet },
    { weight: lasting, arbitrary: sentAndSetBack },
  );

const scheduleOf = (steps: fc.Arbitrary<Step[][]>): fc.Arbitrary<Schedule> =>
  fc.record({ hasFooter: fc.boolean(), steps: steps.map((each) => each.flat()) });
export const upTo = (maxLength: number) => ({ minLength: 1, maxLength, size: 'max' }) as const;

/** How frequent faults are in one run. */
const frequency = fc.constantFrom(
  { faults: 0, lasting: 0 },
  { faults: 1, lasting: 1 },
  { faults: 5, lasting: 3 },
  { faults: 16, lasting: 6 },
);

/** Customers and faults of all kinds in any order. */
export const faultySchedule = frequency.chain((faults) =>
  scheduleOf(fc.array(mixOf({ customers: 16, ...faults }), upTo(20))),
);

const mostFaults = 3;
const isFault = (each: Step) =>
  ['outage', 'lost answer', 'freeze', 'kill'].includes(each.do) || each.do.startsWith('fault');

/** Customers and temporary faults, three at most. */
export const mildSchedule = scheduleOf(
  fc.array(mixOf({ customers: 8, faults: 1, lasting: 0 }), upTo(14)).map((groups) => {
    const tooMany = new Set(groups.flat().filter(isFault).slice(mostFaults));
    return groups.map((steps) => steps.filter((each) => !tooMany.has(each)));
  }),
);
