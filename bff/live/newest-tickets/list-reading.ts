import type { V1Client } from '../../v1/client.ts';
import { createListSchedule, listEveryMs } from './schedule.ts';
import { createListChanges } from './list-changes.ts';
import type { Readers } from '../readers.ts';
import { createListComparison } from './comparison.ts';

/** How many lists in a row may be missed before the list is no longer relied on. */
const listsMissed = 3;

/**
 * Reads the list of the newest tickets while the watches together want more reads a second than `readsPerSecond`, so
 * that single reads cannot keep to their intervals (`pace.ts`). With fewer watches no list is read. Of several
 * instances, one reads the list for all.
 * @param ask requests a turn, in which `read` must be called; `cancel` gives it back
 * @param isAllowed whether the service may be called at all
 * @param onMoved called with each watched ticket that must be read now (`comparison.ts`)
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
      for (const ticketId of comparison.update(list, begunAt)) onMoved(ticketId);
      const moved = changes.update(list).filter((ticketId) => !watches.has(ticketId));
      if (moved.length > 0) readers.moved(moved);
    },
  });

  return {
    comparison,
    read: schedule.read,
    /** Adds to the number of reads a second that the watches want, by their intervals. */
    addDemand(perSecond: number): void {
      // Sums of fractions do not return exactly to zero.
      demand = watches.size > 0 ? demand + perSecond : 0;
      schedule.check();
    },
    /** Another instance may have become the reader of the list. */
    reassess(): void {
      if (!readers.isLister()) changes.forget();
      schedule.check();
    },
    stop: schedule.stop,
  };
}

export type ListReading = ReturnType<typeof createListReading>;
