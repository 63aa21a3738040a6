import type { Subject } from '../session/subjects.ts';
import type { Store } from '../store/open.ts';

declare const checked: unique symbol;

/** A subject's right to one ticket. Made only here: whoever holds one has been checked. */
export interface Grant {
  readonly [checked]: true;
  readonly subjectId: string;
  readonly ticketId: string;
  /** The ticket stands under an address that the subject has proven. */
  readonly isTrusted: boolean;
}

/** The only door to a ticket: a row here decides, never an answer of the ticket service. */
export function createGrants({ store, now }: { store: Store; now: () => number }) {
  const opened = (db = store) =>
    db.selectFrom('operations').where('operations.kind', '=', 'ticket').where('ticket_id', 'is not', null);

  /**
   * Tickets under the subject's proven address that it may take for itself alone: those that no owner of that address
   * has had, and its own that somebody else holds too.
   */
  async function claimable({ id, addressHash }: Subject, db = store): Promise<string[]> {
    if (addressHash === null) return [];
    const rows = await opened(db)
      .select('ticket_id')
      .where('operations.address_hash', '=', addressHash)
      .where(({ and, eb, exists, not, or, selectFrom }) => {
        const held = selectFrom('grants')
          .select('grants.ticket_id')
          .whereRef('grants.ticket_id', '=', 'operations.ticket_id');
        const byMe = exists(held.where('subject_id', '=', id));
        const byOthers = exists(held.where('subject_id', '!=', id).where('trusted', '=', 0));
        return or([and([byMe, byOthers]), and([not(byMe), eb('owned', '=', 0)])]);
      })
      .execute();
    return rows.map((row) => row.ticket_id!);
  }

  /** What the owner of its address holds, or has held, is nobody else's to claim. */
  async function markOwned(subjectId: string, db: Store): Promise<void> {
    const trusted = db
      .selectFrom('grants')
      .select('ticket_id')
      .where('subject_id', '=', subjectId)
      .where('trusted', '=', 1);
    await db
      .updateTable('operations')
      .set({ owned: 1 })
      .where('kind', '=', 'ticket')
      .where('owned', '=', 0)
      .where('ticket_id', 'in', trusted)
      .execute();
  }

  return {
    claimable,

    /** Null for foreign, unknown and malformed ids alike. */
    async find(subjectId: string, ticketId: string): Promise<Grant | null> {
      const row = await store
        .selectFrom('grants')
        .select(['subject_id', 'ticket_id', 'trusted'])
        .where('subject_id', '=', subjectId)
        .where('ticket_id', '=', ticketId)
        .executeTakeFirst();
      return row ? ({ subjectId, ticketId, isTrusted: row.trusted === 1 } as Grant) : null;
    },

    /** Moves the read mark forward, never back. */
    async markRead(grant: Grant, agentMessages: number): Promise<void> {
      await store
        .updateTable('grants')
        .set({ read_count: agentMessages })
        .where('subject_id', '=', grant.subjectId)
        .where('ticket_id', '=', grant.ticketId)
        .where('read_count', '<', agentMessages)
        .execute();
    },

    /** Says anew which of the subject's tickets stand under the address that it has proven by now. */
    async trust({ id, addressHash }: Subject, db = store): Promise<void> {
      const own = opened(db)
        .select('ticket_id')
        .where('operations.address_hash', '=', addressHash ?? '');
      await db
        .updateTable('grants')
        .set(({ eb }) => ({ trusted: eb.case().when('ticket_id', 'in', own).then(1).else(0).end() }))
        .where('subject_id', '=', id)
        .execute();
      await markOwned(id, db);
    },

    /**
     * The owner of the address takes what others opened under it, from then on theirs alone. Answers the subjects that
     * lost something.
     */
    async claim(subject: Subject): Promise<string[]> {
      return store.transaction().execute(async (trx) => {
        const ticketIds = await claimable(subject, trx);
        if (ticketIds.length === 0) return [];
        const revoked = await trx
          .deleteFrom('grants')
          .where('ticket_id', 'in', ticketIds)
          .where('subject_id', '!=', subject.id)
          .where('trusted', '=', 0)
          .returning('subject_id')
          .execute();
        // What the losers had left undecided is nobody's to decide any more.
        await trx
          .updateTable('operations')
          .set({ due_at: now() })
          .where('ticket_id', 'in', ticketIds)
          .where('subject_id', '!=', subject.id)
          .where('state', 'in', ['accepted', 'unknown'])
          .where('due_at', 'is', null)
          .execute();
        await trx
          .insertInto('grants')
          .values(
            ticketIds.map((ticket_id) => ({
              subject_id: subject.id,
              ticket_id,
              created_at: now(),
              trusted: 1,
            })),
          )
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        await markOwned(subject.id, trx);
        return [...new Set(revoked.map((row) => row.subject_id))];
      });
    },
  };
}

export type Grants = ReturnType<typeof createGrants>;
