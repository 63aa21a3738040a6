import type { TicketRead } from '../servers/service.ts';
import type { StreamLog } from '../stream.ts';

export interface ReadFigures {
  perSecond: number;
  /** Of a ticket while it is on screen, in one interval of the watches. */
  perInterval: number;
  /** The share of the intervals with a read in which more than one instance read the ticket. */
  byMany: number;
}

interface Shown {
  ticketId: string | null;
  stream: Pick<StreamLog, 'lives'>;
}

/** How often the service was read until `untilMs`, a time of `performance.now()`, and by how many instances. */
export function readsOf(
  reads: ReadonlyMap<string, readonly TicketRead[]>,
  shown: readonly Shown[],
  { fromMs: startedAt, untilMs, intervalMs }: { fromMs: number; untilMs: number; intervalMs: number },
): ReadFigures {
  let [shownMs, whileShown, intervals, byMany] = [0, 0, 0, 0];
  for (const { ticketId, stream } of shown) {
    const ofTicket = (ticketId && reads.get(ticketId)) || [];
    const readers = new Map<number, Set<string>>();
    for (const { fromMs, toMs } of stream.lives) {
      const endMs = Math.min(toMs, untilMs);
      shownMs += Math.max(0, endMs - fromMs);
      for (const { atMs, key } of ofTicket) {
        if (atMs < fromMs || atMs >= endMs) continue;
        whileShown += 1;
        const interval = Math.floor(atMs / intervalMs);
        readers.set(interval, (readers.get(interval) ?? new Set()).add(key));
      }
    }
    intervals += readers.size;
    byMany += [...readers.values()].filter(({ size }) => size > 1).length;
  }
  const all = [...reads.values()].flat().filter(({ atMs }) => atMs < untilMs);
  return {
    perSecond: all.length / ((untilMs - startedAt) / 1_000),
    perInterval: whileShown / Math.max(1, shownMs / intervalMs),
    byMany: byMany / Math.max(1, intervals),
  };
}
