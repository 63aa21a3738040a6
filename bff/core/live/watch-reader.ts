import type { ThreadRead, Threads } from '../tickets/threads.ts';
import type { Breaker } from '../v1/breaker.ts';
import type { V1Client } from '../v1/client.ts';
import type { Publisher } from './publish.ts';
import type { Readers } from './readers.ts';
import { toEvent } from './stream-event.ts';
import { slicesOf, type Viewer } from './viewers.ts';
import { digestToReport, recordRead, type Watch } from './watch.ts';

interface WatchReaderDeps {
  threads: Threads;
  publisher: Publisher;
  v1: Pick<V1Client, 'readsHeldMs'>;
  readers: Readers;
  breaker: Pick<Breaker, 'report'>;
  elapsed: () => number;
  /** Called with each viewer who may no longer see the ticket. */
  onForbidden: (ticketId: string, viewer: Viewer) => void;
}

/**
 * Makes one read of a watched ticket, sends what is new to its viewers, and reports it to the other instances.
 * `watches.ts` decides when to read.
 */
export function createWatchReader(deps: WatchReaderDeps) {
  const { threads, publisher, v1, readers, breaker, elapsed, onForbidden } = deps;

  /** Sends each viewer the parts of the read that are new to them. */
  async function publish({ ticketId, viewers, seen }: Watch, read: ThreadRead): Promise<void> {
    const due = [...viewers].flatMap(([viewer, sent]) => (sent === seen.digest ? [] : viewer));
    const gone = await publisher.ticket(due, ticketId, read);
    for (const viewer of due) {
      if (gone.has(viewer)) onForbidden(ticketId, viewer);
      else if (viewers.has(viewer)) viewers.set(viewer, seen.digest);
    }
  }

  /** A viewer of a thread is notified about that thread only, a viewer of the list about every ticket in it. */
  async function sendFreshness({ ticketId, viewers }: Watch, isFresh: boolean): Promise<void> {
    const events = [toEvent('freshness', '', { fresh: isFresh })];
    for await (const slice of slicesOf([...viewers.keys()]))
      for (const viewer of slice) if ((viewer.thread ?? ticketId) === ticketId) viewer.sendNew(events);
  }

  function recordOutcome(watch: Watch, isGood: boolean): void {
    if (isGood) watch.isUrgent = false;
    // The service answers, and has asked for a pause: this is no failure.
    if (!isGood && v1.readsHeldMs() > 0) return;
    breaker.report(isGood);
    watch.failures = isGood ? 0 : watch.failures + 1;
  }

  return {
    async read(watch: Watch): Promise<void> {
      const { ticketId } = watch;
      watch.isStale = false;
      const term = readers.termOf(ticketId);
      const read = await threads.refresh(ticketId).catch(() => null);
      const isGood = read?.isFresh ?? false;
      recordOutcome(watch, isGood);
      if (read) recordRead(watch, read, elapsed());
      // An instance that has lost the term meanwhile must not act as the reader.
      if (term !== undefined && readers.termOf(ticketId) === term) {
        const digest = digestToReport(watch, isGood, elapsed());
        if (digest !== undefined) readers.found(ticketId, digest);
      }
      if (read) await publish(watch, read);
      await sendFreshness(watch, isGood);
    },

    /** Sends new viewers a read that is known already. */
    async showCached(watch: Watch, read: ThreadRead): Promise<void> {
      watch.isStale = false;
      recordRead(watch, read, elapsed());
      await publish(watch, read);
    },
  };
}
