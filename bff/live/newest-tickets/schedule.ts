import { listLimit, type V1Client } from '../../v1/client.ts';
import type { V1TicketList } from '../../v1/schema.ts';

/** The greatest fraction of the reads that lists may use. */
const largestShare = 1 / 10;
const longestMs = 60_000;

/** The interval of list reads in milliseconds: a second, or longer when that would exceed the fraction. */
export const listEveryMs = (readsPerSecond: number) =>
  Math.max(1_000, 1_000 / (readsPerSecond * largestShare));

/**
 * Decides when the list of the newest tickets is read: never while single reads alone keep to their intervals, which
 * `isNeeded` reports. Failures make the interval longer, up to a minute.
 * @param ask requests a turn, in which `read` must be called; `cancel` gives it back
 * @param isAllowed whether the service may be called at all
 * @param onList called with a list and the time when its read began, by `elapsed`
 */
export function createListSchedule({
  v1,
  everyMs,
  elapsed,
  isNeeded,
  isAllowed,
  ask,
  cancel,
  onList,
}: {
  v1: Pick<V1Client, 'listTickets'>;
  everyMs: () => number;
  elapsed: () => number;
  isNeeded: () => boolean;
  isAllowed: () => boolean;
  ask: () => void;
  cancel: () => void;
  onList: (list: V1TicketList, begunAt: number) => void;
}) {
  let isActive = false;
  let isReading = false;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  /**
   * The number of entries that was not too large last time. Finding it again each time would cost reads that are not
   * counted.
   */
  let limit = listLimit;

  function stop(): void {
    isActive = false;
    limit = listLimit;
    clearTimeout(timer);
    cancel();
  }

  function pause(): void {
    const normalMs = everyMs();
    timer = setTimeout(ask, Math.min(normalMs * 2 ** failures, Math.max(normalMs, longestMs)));
    timer.unref();
  }

  return {
    /** To be called whenever `isNeeded` may have changed. */
    check(): void {
      if (!isNeeded()) {
        if (isActive) stop();
      } else if (!isActive) {
        isActive = true;
        if (!isReading) ask();
      }
    },
    /** Reads the list. Never rejects for failures of the service. */
    async read(): Promise<void> {
      isReading = true;
      try {
        if (!isAllowed()) return;
        const begunAt = elapsed();
        const result = await v1.listTickets(limit);
        failures = result.ok ? 0 : Math.min(failures + 1, 6);
        if (!result.ok) return;
        if (isActive) limit = result.data.limit;
        onList(result.data, begunAt);
      } finally {
        isReading = false;
        if (isActive) pause();
      }
    },
    stop,
  };
}
