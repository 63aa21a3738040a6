import type { ThreadRead, Threads } from '../../tickets/threads.ts';
import type { Readers } from '../readers.ts';
import { hasNewViewer, isOnScreenHere, digestToReport, type Watch } from './watch-state.ts';

/** Decides whether a watched ticket is read here, and what is reported to the other instances. */
export function createReadership(readers: Readers, threads: Pick<Threads, 'known'>) {
  const isReadElsewhere = (ticketId: string) =>
    readers.termOf(ticketId) === undefined && readers.hasReader(ticketId);

  return {
    /**
     * Whether this instance must read the ticket at its intervals: as its reader, or while viewers of this instance
     * wait for a read.
     */
    isReadHere(ticketId: string, watch: Watch): boolean {
      if (readers.termOf(ticketId) !== undefined) return true;
      if (watch.viewers.size === 0) return false;
      const isOpen = watch.failures > 0 || watch.urgency !== undefined || hasNewViewer(watch);
      return isOpen || !readers.hasReader(ticketId);
    },

    /** The cached read for a new viewer, when another instance reads the ticket. */
    cachedFor(ticketId: string, { failures, urgency }: Watch): ThreadRead | undefined {
      if (failures > 0 || urgency || !isReadElsewhere(ticketId)) return undefined;
      const read = threads.known(ticketId);
      return read?.isFresh ? read : undefined;
    },

    reportInterest(ticketId: string, watch: Watch): void {
      const { digest: seen } = watch.seen;
      if (watch.viewers.size > 0 && seen !== '')
        readers.want(ticketId, { isOnScreen: isOnScreenHere(ticketId, watch), seen });
    },

    /** To be called when a read begins. Returns a function to be called when it ends. */
    beginRead(ticketId: string, watch: Watch) {
      const term = readers.termOf(ticketId);
      return (isGood: boolean, now: number): void => {
        // An instance that has lost the term meanwhile must not act as the reader.
        if (term === undefined || readers.termOf(ticketId) !== term) return;
        const news = digestToReport(watch, isGood, now);
        if (news !== undefined) readers.found(ticketId, news);
      };
    },
  };
}

export type Readership = ReturnType<typeof createReadership>;
