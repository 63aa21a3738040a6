import { createHash } from 'node:crypto';
import { listLimit, type V1Client } from '../v1/client.ts';
import type { V1Thread, V1Ticket } from '../v1/schema.ts';
import type { Readers } from './readers.ts';
import type { Turns } from './turns.ts';

/** The greatest fraction of the reads that lists may use. */
const largestShare = 1 / 10;
const longestMs = 60_000;

/** The name of the list in the queue of turns. No ticket has this id. */
const listTurn = '';

/** A digest of every field that a list shows, missing ones with their defaults. */
export const listedDigest = (ticket: V1Ticket | V1Thread) =>
  createHash('sha1')
    .update(
      JSON.stringify([
        ticket.ticket_number,
        ticket.subject,
        ticket.description,
        ticket.status,
        ticket.priority,
        ticket.created_at,
        ticket.updated_at,
      ]),
    )
    .digest('base64url');

/**
 * Finds tickets that have changed, or are new, between two lists. The order of a list means nothing, and no field is
 * required.
 */
export function createComparison() {
  let last: ReadonlyMap<string, string> | undefined;
  return {
    /**
     * @param seenOf the digest of the ticket's last read alone; undefined if it is not watched
     * @returns watched tickets of which the list shows something unread, and the changed ones that are not watched
     */
    update(entries: readonly V1Ticket[], seenOf: (id: string) => string | undefined) {
      const before = last;
      const listed = new Map<string, string>();
      const [watched, others]: [string[], string[]] = [[], []];
      for (const entry of entries) {
        if (listed.has(entry.id)) continue;
        const digest = listedDigest(entry);
        listed.set(entry.id, digest);
        if (before?.get(entry.id) === digest) continue;
        const isNew = before !== undefined && !before.has(entry.id);
        const seen = seenOf(entry.id);
        if (seen === undefined) {
          if (before) others.push(entry.id);
        } else if (isNew || seen !== digest) watched.push(entry.id);
      }
      last = listed;
      return { watched, others };
    },
    /** To be called when no lists are read for a while. */
    forget(): void {
      last = undefined;
    },
  };
}

/**
 * Reads the list of the newest tickets while the watches together want more reads a second than `readsPerSecond`, so
 * that single reads cannot keep to their intervals. A ticket whose entry has changed is then read at once. With fewer
 * watches no list is read. Of several instances, one reads the list for all. Each ticket is still read by itself too,
 * since a list may not show a change.
 * @param isAllowed whether the service may be called at all
 * @param seenOf the `listedDigest` of the last read of a watched ticket; undefined if it is not watched
 * @param onMoved called with each watched ticket that must be read now
 */
export function createNewestTickets({
  v1,
  readers,
  readsPerSecond,
  isAllowed,
  turns,
  seenOf,
  onMoved,
}: {
  v1: Pick<V1Client, 'listTickets'>;
  readers: Pick<Readers, 'isLister' | 'moved'>;
  readsPerSecond: () => number;
  isAllowed: () => boolean;
  turns: Turns;
  seenOf: (ticketId: string) => string | undefined;
  onMoved: (ticketId: string) => void;
}) {
  const comparison = createComparison();
  let demand = 0;
  let isActive = false;
  let isReading = false;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  /**
   * The number of entries that was not too large last time. Finding it again each time would cost reads that are not
   * counted.
   */
  let limit = listLimit;

  const ask = () => turns.askNow(listTurn, read);

  function stop(): void {
    isActive = false;
    limit = listLimit;
    clearTimeout(timer);
    turns.cancel(listTurn);
  }

  /** Once a second, or less often when that would exceed the fraction or while it fails. */
  function pause(): void {
    const normalMs = Math.max(1_000, 1_000 / (readsPerSecond() * largestShare));
    timer = setTimeout(ask, Math.min(normalMs * 2 ** failures, Math.max(normalMs, longestMs)));
    timer.unref();
  }

  async function read(): Promise<void> {
    isReading = true;
    try {
      if (!isAllowed()) return;
      const result = await v1.listTickets(limit);
      failures = result.ok ? 0 : Math.min(failures + 1, 6);
      if (!result.ok) return;
      if (isActive) limit = result.data.limit;
      const { watched, others } = comparison.update(result.data.entries, seenOf);
      for (const ticketId of watched) onMoved(ticketId);
      if (others.length > 0) readers.moved(others);
    } finally {
      isReading = false;
      if (isActive) pause();
    }
  }

  function check(): void {
    const isNeeded = readers.isLister() && demand > readsPerSecond();
    if (!isNeeded && isActive) stop();
    if (!isNeeded || isActive) return;
    isActive = true;
    if (!isReading) ask();
  }

  return {
    /** The number of reads a second that the watches want, by their intervals. */
    setDemand(perSecond: number): void {
      demand = perSecond;
      check();
    },
    /** Another instance may have become the reader of the list. */
    reassess(): void {
      if (!readers.isLister()) comparison.forget();
      check();
    },
    stop,
  };
}
