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

/** Who lost which tickets. */
export interface Claim {
  ticketIds: string[];
  formerSubjectIds: string[];
}

/** The only door to a ticket: a row here decides, never an answer of the ticket service. */
export function createGrants({ store, now }: { store: Store; now: () => number }) {
  const opened = (db = store) =>
    db.selectFrom('operations').where('operations.kind', '=', 'ticket').where('ticket_id', 'is not', null);

  /**
   * Tickets that were opened under the subject's proven address, and that are not the subject's alone: somebody holds
   * them who has not proven it, or nobody does.
   */
  async function claimable({ id, addressHash }: Subject, db = store): Promise<string[]> {
    if (addressHash === null) return [];
    const rows = await opened(db)
      .select('ticket_id')
      .where('operations.address_hash', '=', addressHash)
      .where(({ and, exists, not, or, selectFrom }) => {
        const held = () =>
          selectFrom('grants')
            .select('grants.ticket_id')
            .whereRef('grants.ticket_id', '=', 'operations.ticket_id');
        const others = held().where('subject_id', '!=', id);
        return and([not(exists(others.where('trusted', '=', 1))), or([exists(others), not(exists(held()))])]);
      })
      .execute();
    return rows.map((row) => row.ticket_id!);
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

    /**
     * An anonymous browser signs in: what it sent becomes the customer's. `isShared`: another browser still acts for
     * it and keeps what it has; the customer then holds the tickets beside it.
     */
    async comeAlong(fromSubjectId: string, to: Subject, isShared: boolean): Promise<void> {
      await store.transaction().execute(async (trx) => {
        const held = await trx
          .selectFrom('grants')
          .selectAll()
          .where('subject_id', '=', fromSubjectId)
          .execute();
        for (const { ticket_id, read_count } of held)
          await trx
            .insertInto('grants')
            .values({ subject_id: to.id, ticket_id, read_count, created_at: now() })
            .onConflict((conflict) => conflict.doNothing())
            .execute();
        if (isShared) return;
        await trx
          .updateTable('operations')
          .set({ subject_id: to.id })
          .where('subject_id', '=', fromSubjectId)
          .execute();
        await trx.deleteFrom('subjects').where('id', '=', fromSubjectId).execute();
      });
    },

    /** Says anew which of the subject's tickets stand under the address that it has proven by now. */
    async trust({ id, addressHash }: Subject): Promise<void> {
      const own = opened()
        .select('ticket_id')
        .where('operations.address_hash', '=', addressHash ?? '');
      await store
        .updateTable('grants')
        .set(({ eb }) => ({ trusted: eb.case().when('ticket_id', 'in', own).then(1).else(0).end() }))
        .where('subject_id', '=', id)
        .execute();
    },

    /** The owner of the address takes what others opened under it: from then on it is theirs alone. */
    async claim(subject: Subject): Promise<Claim> {
      return store.transaction().execute(async (trx) => {
        const ticketIds = await claimable(subject, trx);
        if (ticketIds.length === 0) return { ticketIds, formerSubjectIds: [] };
        const revoked = await trx
          .deleteFrom('grants')
          .where('ticket_id', 'in', ticketIds)
          .where('subject_id', '!=', subject.id)
          .returning('subject_id')
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
        return { ticketIds, formerSubjectIds: [...new Set(revoked.map((row) => row.subject_id))] };
      });
    },
  };
}

export type Grants = ReturnType<typeof createGrants>;
