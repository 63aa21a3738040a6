import { createHash } from 'node:crypto';
import type { V1Thread, V1Ticket, V1TicketList } from '../../v1/schema.ts';

/** How a read of a ticket alone differs from its previous read. `answer`: an agent has written. */
export type Change = 'nothing' | 'change' | 'answer';

/** How long the list is not relied on after a change that it did not show. */
const distrustMs = 10 * 60_000;

interface Known {
  /** Digest of the ticket's entry in the last list that contained the ticket. */
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
 * Compares the lists of the newest tickets, so that one read finds the changes of all tickets in the list. Each ticket
 * is still read alone, which finds the changes that no list shows.
 *
 * The order of the list does not matter, and no field is required. A list shows a change if an entry differs from the
 * previous list and from the last read, or if a ticket was not in the previous list.
 *
 * The list is relied on once it has shown an answer that was also found by a read. It is no longer relied on after it
 * has missed a change of one of its tickets, until ten minutes have passed and it has shown another answer. Times are
 * in milliseconds, by `elapsed`.
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
