import type { ThreadRead } from '../../tickets/threads.ts';
import type { Breaker } from '../../v1/breaker.ts';
import type { ListReading } from '../newest-tickets/list-reading.ts';
import type { Subscriber } from '../streams/hub.ts';
import type { Readership } from './readership.ts';
import { sendFreshness, sendToViewers } from './viewers.ts';
import { takeRead, type Watch, type WatchDeps } from './watch-state.ts';

interface WatchReaderDeps extends Pick<WatchDeps, 'threads' | 'publisher' | 'v1' | 'elapsed'> {
  breaker: Pick<Breaker, 'report'>;
  comparison: ListReading['comparison'];
  readership: Pick<Readership, 'beginRead'>;
  /** Called with each viewer who may no longer see the ticket. */
  onForbidden: (ticketId: string, viewer: Subscriber) => void;
}

/** Makes one read of a watched ticket, and sends what is new to its viewers. `watch.ts` decides when to read. */
export function createWatchReader(deps: WatchReaderDeps) {
  const { threads, publisher, v1, elapsed, breaker, comparison, readership, onForbidden } = deps;

  /** Sends the read to viewers who have not been sent it. */
  async function publish(ticketId: string, watch: Watch, read: ThreadRead): Promise<void> {
    for (const viewer of await sendToViewers(publisher, ticketId, watch, read)) onForbidden(ticketId, viewer);
  }

  function recordOutcome(watch: Watch, isGood: boolean): void {
    if (isGood) watch.urgency = undefined;
    // The service answers, and has asked for a pause: this is no failure.
    if (!isGood && v1.readsHeldMs() > 0) return;
    breaker.report(isGood);
    watch.failures = isGood ? 0 : watch.failures + 1;
  }

  return {
    async read(ticketId: string, watch: Watch): Promise<void> {
      // A read that was begun for a customer may be older than the reason for this read.
      watch.isStale = watch.urgency !== undefined && threads.isReading(ticketId);
      const shownCountAtBegin = comparison.beginRead(ticketId);
      const endRead = readership.beginRead(ticketId, watch);
      const read = await threads.refresh(ticketId).catch(() => null);
      const isGood = read?.isFresh ?? false;
      recordOutcome(watch, isGood);
      if (read) {
        const change = takeRead(watch, read, elapsed());
        if (isGood) comparison.endRead(ticketId, shownCountAtBegin, read.thread, change);
      }
      endRead(isGood, elapsed());
      if (read) await publish(ticketId, watch, read);
      await sendFreshness(ticketId, watch, isGood);
    },

    /** Sends new viewers a cached read, since another instance reads the ticket. */
    async showCached(ticketId: string, watch: Watch, read: ThreadRead): Promise<void> {
      watch.isStale = false;
      takeRead(watch, read, elapsed());
      await publish(ticketId, watch, read);
    },
  };
}
