import fc from 'fast-check';
import '../seed.ts';
import type { ProcessPoint, StoreFault } from './process.ts';
import { type ReadFault, timeoutMs } from './service.ts';

/** Small numbers are drawn often, so that a fault meets the work that is under way. */
const skip = fc.oneof(fc.nat({ max: 8 }), fc.nat({ max: 30 }));
export const storeFault: fc.Arbitrary<StoreFault> = fc.record({
  how: fc.constantFrom('away' as const, 'locked' as const),
  moment: fc.constantFrom('before' as const, 'after' as const),
  skip,
  times: fc.constantFrom(1, 2, 20),
});
export const readFault = fc.constantFrom<ReadFault>(
  { how: 'failed' },
  { how: 'slow', ms: timeoutMs - 500 },
  { how: 'lagging', ms: 3_000 },
  { how: 'limited', ms: 5_000 },
  { how: 'limited', ms: 60_000 },
);

const skips = { store: skip, service: fc.nat({ max: 2 }), mail: fc.constant(0) };
/** A moment at which a process stops. */
export const stopAt = (points: readonly ProcessPoint[]) =>
  fc.oneof(...points.map((point) => fc.record({ point: fc.constant(point), skip: skips[point] })));
