import type { Sessions } from '../identity/sessions.ts';
import type { Subjects } from '../identity/subjects.ts';
import type { Store } from '../store/open.ts';
import { inTransaction, lockTickets } from '../store/statements/transaction.ts';
import type { OperationRow } from '../store/schema.ts';
import { type Grants, ticketsOf } from './grants.ts';
import type { TicketRecords } from './ticket-records.ts';

/** Removes sends. `delivery` implements it, since it alone writes operations. */
interface SendRemoval {
  countUndelivered(subjectId: string, db: Store): Promise<number>;
  countUndeliveredTo(opening: OperationRow, db: Store): Promise<number>;
  passOpenings(subjectId: string, db: Store): Promise<void>;
  removeWaitingFor(subjectId: string, db: Store): Promise<void>;
  removeTo(opening: OperationRow, db: Store): Promise<void>;
  removeOf(subjectId: string, limit: number, db: Store): Promise<number>;
}

export interface RemovalHook {
  /**
   * A subject is removed, in this transaction. Its sends are still there. Afterwards, those that opened a ticket which
   * somebody else holds belong to that holder.
   */
  onRemoval?(subjectId: string, db: Store): Promise<void>;
}

/**
 * The removed rows. When `undelivered` is above 0, nothing was removed, because so many sends are still to be
 * delivered.
 */
export interface Removed {
  tickets: number;
  /** Colleagues of the subject who could read one of its tickets. */
  colleagues?: string[];
  undelivered: number;
}

/**
 * Removes everything that the store has of a subject: sessions, contact, sends, grants, offers, and tickets that
 * nobody else holds.
 */
export function createRemoval(deps: {
  store: Store;
  sends: SendRemoval;
  sessions: Pick<Sessions, 'endAll'>;
  subjects: Pick<Subjects, 'forget'>;
  grants: Pick<Grants, 'removeAllTo' | 'removeColleagues'>;
  ticketRecords: Pick<TicketRecords, 'removeUnheld'>;
  parts?: readonly RemovalHook[];
  /** How many rows of a table one transaction removes. */
  limit: number;
  /** Lets requests go first. SQLite's statements alone never yield to the event loop. */
  pause: () => Promise<void>;
}) {
  const { store, sends, sessions, subjects, grants, ticketRecords, parts = [], limit, pause } = deps;

  /** The last step. For a subject with few sends it is the only one. */
  async function finish(subjectId: string, db: Store): Promise<Removed> {
    const ticketIds = await ticketsOf(subjectId, db);
    await lockTickets(ticketIds, db);
    await subjects.forget(subjectId, db);
    const colleagues = await grants.removeColleagues(ticketIds, db);
    await ticketRecords.removeUnheld(ticketIds, db);
    return { tickets: ticketIds.length, undelivered: 0, colleagues };
  }

  return {
    /**
     * `undelivered`: what to do with sends that are still to be delivered. `drop` removes them too, but one that is
     * being sent at this moment may still arrive. The subject's sessions end first.
     */
    async removeSubject(subjectId: string, undelivered: 'keep' | 'drop'): Promise<Removed> {
      const begun = await inTransaction(store, async (trx) => {
        const left = undelivered === 'keep' ? await sends.countUndelivered(subjectId, trx) : 0;
        if (left > 0) return { tickets: 0, undelivered: left };
        await sessions.endAll(subjectId, trx);
        for (const part of parts) await part.onRemoval?.(subjectId, trx);
        await sends.passOpenings(subjectId, trx);
        await sends.removeWaitingFor(subjectId, trx);
        if ((await sends.removeOf(subjectId, limit, trx)) === limit) return null;
        return finish(subjectId, trx);
      });
      if (begun) return begun;
      do await pause();
      while ((await sends.removeOf(subjectId, limit, store)) === limit);
      return inTransaction(store, async (trx) => {
        await sends.removeOf(subjectId, limit, trx);
        return finish(subjectId, trx);
      });
    },

    /** Removes the ticket that this send opened, for all its holders, with everything that was sent to it. */
    async removeOpened(opening: OperationRow, undelivered: 'keep' | 'drop'): Promise<Removed> {
      return inTransaction(store, async (trx) => {
        const left = undelivered === 'keep' ? await sends.countUndeliveredTo(opening, trx) : 0;
        if (left > 0) return { tickets: 0, undelivered: left };
        await sends.removeTo(opening, trx);
        if (opening.ticket_id === null) return { tickets: 0, undelivered: 0 };
        await grants.removeAllTo(opening.ticket_id, trx);
        await ticketRecords.removeUnheld([opening.ticket_id], trx);
        return { tickets: 1, undelivered: 0 };
      });
    },
  };
}

export type Removal = ReturnType<typeof createRemoval>;
