import type { V1Client } from '../../v1/client.ts';
import { createListSchedule, listEveryMs } from './schedule.ts';
import { createListChanges } from './list-changes.ts';
import type { Readers } from '../readers.ts';
import { createListComparison } from './comparison.ts';

/** The list may fail to come this often in a row before it is not relied on. */
const listsMissed = 3;

/**
 * Reads the list of the newest tickets while the watches together want more reads a second than `readsPerSecond`, by
 * their intervals (`pace.ts`), so that single reads cannot keep to them. With fewer watches no list is read. Of several
 * instances one reads it, for all.
 * @param ask requests a turn, in which `read` is to be called; `cancel` gives it back
 * @param isAllowed whether the service is to be asked at all
 * @param onMoved gets each watched ticket that is to be read now (`comparison.ts`)
 */
export function createListReading({
  v1,
  readers,
  readsPerSecond,
  elapsed,
  isAllowed,
  watches,
  ask,
  cancel,
  onMoved,
}: {
  v1: Pick<V1Client, 'listTickets'>;
  readers: Pick<Readers, 'isLister' | 'moved'>;
  readsPerSecond: () => number;
  elapsed: () => number;
  isAllowed: () => boolean;
  watches: ReadonlyMap<string, unknown>;
  ask: () => void;
  cancel: () => void;
  onMoved: (ticketId: string) => void;
}) {
  const everyMs = () => listEveryMs(readsPerSecond());
  const comparison = createListComparison({ elapsed, freshMs: () => everyMs() * listsMissed });
  const changes = createListChanges();
  let demand = 0;
  const schedule = createListSchedule({
    v1,
    everyMs,
    elapsed,
    isNeeded: () => readers.isLister() && demand > readsPerSecond(),
    isAllowed,
    ask,
    cancel,
    onList(list, begunAt) {
      for (const ticketId of comparison.take(list, begunAt)) onMoved(ticketId);
      const moved = changes.take(list).filter((ticketId) => !watches.has(ticketId));
      if (moved.length > 0) readers.moved(moved);
    },
  });

  return {
    comparison,
    read: schedule.read,
    /** The watches want so many reads a second more than before, by their intervals. */
    addDemand(perSecond: number): void {
      // Sums of fractions do not end at zero by themselves.
      demand = watches.size > 0 ? demand + perSecond : 0;
      schedule.check();
    },
    /** Another instance may read the list by now. */
    reassess(): void {
      if (!readers.isLister()) changes.forget();
      schedule.check();
    },
    stop: schedule.stop,
  };
}
