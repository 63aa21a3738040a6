import { createHash } from 'node:crypto';
import type { V1Thread, V1Ticket, V1TicketList } from '../../v1/schema.ts';

/** How a read of a ticket alone differs from its previous read. `answer`: an agent has written. */
export type Change = 'nothing' | 'change' | 'answer';

/** How long the list is not relied on after a change that it did not show. */
const distrustMs = 10 * 60_000;

interface Known {
  /** Digest of the entry in the last list that had it. */
  listed: string | undefined;
  /** Digest of the same fields in the last read of the ticket alone. */
  read: string | undefined;
  /** How many changes the lists have shown. */
  shownCount: number;
  /** `shownCount` when the last read of the ticket alone began. */
  shownCountAtRead: number;
}

/** A change that a read found and no list has shown yet. */
interface UnlistedChange {
  /** `shownCount` when that read began. */
  shownCount: number;
  isAnswer: boolean;
  foundAt: number;
}

/** Every field that a list shows, missing ones with their defaults. */
export const digestOf = (ticket: V1Ticket | V1Thread) =>
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
 * Compares the lists of the newest tickets, and so finds what has changed with one read for all. It never decides that a
 * ticket is not read: what no list shows is found when the ticket is read alone.
 *
 * The order of the list does not matter, and no field has to be there. A change is shown by an entry that differs from
 * the list before and from the last read, or by a ticket that was not in the list before.
 *
 * A list is relied on once it has shown an answer that was read, and no longer after a change of one of its tickets that
 * it did not show: then not before ten minutes are over and another answer has been shown. Times in milliseconds, by
 * `elapsed`.
 * @param freshMs a list is relied on for this long
 */
export function createListComparison({ elapsed, freshMs }: { elapsed: () => number; freshMs: () => number }) {
  const tickets = new Map<string, Known>();
  const unlisted = new Map<string, UnlistedChange>();
  let present: ReadonlySet<string> | undefined;
  let listedAt = -Infinity;
  let isProven = false;
  let distrustedUntil = -Infinity;

  function judge(isShown: boolean, isAnswer: boolean): void {
    if (!isShown) {
      isProven = false;
      distrustedUntil = elapsed() + distrustMs;
    } else if (isAnswer) isProven = true;
  }

  /** Whether the ticket must be read now. */
  function compare(entry: V1Ticket, ticket: Known): boolean {
    const digest = digestOf(entry);
    const hasEntered = present !== undefined && !present.has(entry.id);
    const isFirst = ticket.listed === undefined && !hasEntered;
    // Without a previous entry, the list says nothing about a change that was found meanwhile.
    if (isFirst) unlisted.delete(entry.id);
    else if (hasEntered || digest !== ticket.listed) ticket.shownCount += 1;
    const isKnown = digest === ticket.listed || digest === ticket.read;
    ticket.listed = digest;
    return hasEntered || !isKnown;
  }

  function judgeUnlisted(begunAt: number, listed: ReadonlySet<string>): void {
    for (const [id, { shownCount, isAnswer, foundAt }] of unlisted) {
      if (foundAt > begunAt) continue;
      unlisted.delete(id);
      // A ticket that is not in the list is read at its normal interval anyway.
      if (!listed.has(id)) continue;
      const ticket = tickets.get(id)!;
      judge(ticket.shownCount !== shownCount, isAnswer);
      ticket.shownCountAtRead = ticket.shownCount;
    }
  }

  return {
    add(id: string): void {
      tickets.set(id, { listed: undefined, read: undefined, shownCount: 0, shownCountAtRead: 0 });
    },
    remove(id: string): void {
      tickets.delete(id);
      unlisted.delete(id);
    },
    /** Processes a list whose read began at `begunAt`. Returns the added tickets that must be read now. */
    update({ entries }: Pick<V1TicketList, 'entries'>, begunAt: number): string[] {
      const listed = new Set<string>();
      const changed: string[] = [];
      for (const entry of entries) {
        const ticket = tickets.get(entry.id);
        if (ticket && !listed.has(entry.id) && compare(entry, ticket)) changed.push(entry.id);
        listed.add(entry.id);
      }
      judgeUnlisted(begunAt, listed);
      present = listed;
      listedAt = begunAt;
      return changed;
    },
    /** To be called when a read of the ticket alone begins. Returns what `endRead` needs. */
    beginRead: (id: string): number => tickets.get(id)?.shownCount ?? 0,
    /**
     * To be called when a read of the ticket alone has succeeded.
     * @param found how it differs from the previous read
     */
    endRead(id: string, shownCountAtBegin: number, thread: V1Thread, found: Change): void {
      const ticket = tickets.get(id);
      if (!ticket) return;
      ticket.read = digestOf(thread);
      const isAnswer = found === 'answer';
      if (found !== 'nothing') {
        if (shownCountAtBegin !== ticket.shownCountAtRead) judge(true, isAnswer);
        else unlisted.set(id, { shownCount: shownCountAtBegin, isAnswer, foundAt: elapsed() });
      }
      ticket.shownCountAtRead = shownCountAtBegin;
    },
    /** Whether the ticket may be read alone less often. */
    covers: (id: string): boolean =>
      isProven &&
      elapsed() >= distrustedUntil &&
      elapsed() - listedAt <= freshMs() &&
      present?.has(id) === true,
  };
}
