import { hash } from 'node:crypto';
import { listLimit, type V1Client } from '../v1/client.ts';
import type { V1Thread, V1Ticket } from '../v1/schema.ts';
import type { Readers } from './readers.ts';
import type { Turns } from './turns.ts';

/** The greatest fraction of the reads that lists may use. */
const largestShare = 1 / 10;
/** After so long without a list, the number of entries that was too large is tried again. */
const limitMs = 60_000;

/** The name of the list in the queue of turns. No ticket has this id. */
const listTurn = '';

/** A digest of every field that a list shows, missing ones with their defaults. */
export const listedDigest = (ticket: V1Ticket | V1Thread) =>
  hash(
    'sha1',
    JSON.stringify([
      ticket.ticket_number,
      ticket.subject,
      ticket.description,
      ticket.status,
      ticket.priority,
      ticket.created_at,
      ticket.updated_at,
    ]),
    'base64url',
  );

/**
 * Finds tickets that have changed, or are new, between two lists. The order of a list means nothing, and no field is
 * required.
 */
export function createComparison() {
  let last: ReadonlyMap<string, string> | undefined;
  /**
   * @param seenOf the digest of the ticket's last read alone; undefined if it is not watched
   * @returns watched tickets of which the list shows something unread, and the changed ones that are not watched
   */
  return (entries: readonly V1Ticket[], seenOf: (id: string) => string | undefined) => {
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
  };
}

/**
 * Reads the list of the newest tickets, and has a ticket read at once whose entry has changed. Of several instances, one
 * reads the list for all. Each ticket is still read by itself too, since a list may not show a change.
 * @param seenOf the `listedDigest` of the last read of a watched ticket; undefined if it is not watched
 * @param onMoved called with each watched ticket that must be read now
 */
export function createNewestTickets({
  v1,
  readers,
  readsPerSecond,
  turns,
  elapsed,
  seenOf,
  onMoved,
}: {
  v1: Pick<V1Client, 'listTickets'>;
  readers: Pick<Readers, 'isLister' | 'moved'>;
  readsPerSecond: () => number;
  turns: Turns;
  elapsed: () => number;
  seenOf: (ticketId: string) => string | undefined;
  onMoved: (ticketId: string) => void;
}) {
  const compare = createComparison();
  /** Infinity during a read. */
  let dueAt = -Infinity;
  /**
   * The number of entries that was not too large last time. Finding it again each time would cost reads that are not
   * counted.
   */
  let limit = listLimit;

  async function read(): Promise<void> {
    if (elapsed() > dueAt + limitMs) limit = listLimit;
    dueAt = Infinity;
    try {
      const result = await v1.listTickets(limit);
      if (!result.ok) return;
      limit = result.data.limit;
      const { watched, others } = compare(result.data.entries, seenOf);
      for (const ticketId of watched) onMoved(ticketId);
      if (others.length > 0) readers.moved(others);
    } finally {
      dueAt = elapsed() + Math.max(1_000, 1_000 / (readsPerSecond() * largestShare));
    }
  }

  return {
    /** Reads the list at the next turn, but once a second at most, or less often when that would exceed the fraction. */
    readIfDue(): void {
      if (elapsed() >= dueAt && readers.isLister()) turns.askNow(listTurn, read);
    },
  };
}
