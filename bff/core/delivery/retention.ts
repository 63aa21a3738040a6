import type { ExpressionBuilder } from 'kysely';
import type { Store } from '../store/open.ts';
import type { OperationRow, Tables } from '../store/schema.ts';
import type { SendEvent } from './machine.ts';

/*
 * How long the texts of sends are kept, and how sends are removed, or passed on when their customer is removed. It sends
 * nothing.
 */

const deliveredMs = 24 * 3_600_000;

/** How long texts that were not delivered are kept, in milliseconds. */
export interface TextRetention {
  /** From the refusal on. */
  rejectedMs: number;
  /** From the latest attempt on. */
  undecidedMs: number;
}

const isTo = ({ and, eb, or }: ExpressionBuilder<Tables, 'operations'>, { id, ticket_id }: OperationRow) =>
  or([
    eb('id', '=', id),
    eb('opened_by', '=', id),
    // Written as in the index `operations_upstream`.
    ...(ticket_id === null
      ? []
      : [and([eb('kind', 'in', ['ticket', 'message']), eb('ticket_id', '=', ticket_id)])]),
  ]);

/**
 * Erases texts, and removes whole sends. A send that is still to be delivered is never touched, except by `removeOf`
 * and `removeWaitingFor`. Every function handles up to `limit` rows, and returns how many.
 */
export function createSendRetention(deps: {
  store: Store;
  ledger: {
    move: (row: OperationRow, event: SendEvent & { type: 'given_up' }) => Promise<OperationRow | null>;
  };
  keep: TextRetention;
  now: () => number;
}) {
  const { store, ledger, keep, now } = deps;

  async function erase(state: 'done' | 'rejected', finishedBefore: number, limit: number): Promise<number> {
    const { numUpdatedRows } = await store
      .updateTable('operations')
      .set({ payload_sealed: null })
      .where('seq', 'in', ({ selectFrom }) =>
        selectFrom('operations as old')
          .select('old.seq')
          .where('old.payload_sealed', 'is not', null)
          .where('old.state', '=', state)
          .where('old.finished_at', '<', finishedBefore)
          .limit(limit),
      )
      .executeTakeFirstOrThrow();
    return Number(numUpdatedRows);
  }

  return {
    /** Erases the texts of sends delivered more than a day ago, since the service has them. */
    eraseDelivered: (limit: number) => erase('done', now() - deliveredMs, limit),

    /** Erases the texts of sends that the service refused. */
    eraseRejected: (limit: number) => erase('rejected', now() - keep.rejectedMs, limit),

    /**
     * Gives up sends that nobody has decided about, and erases their texts. Replies that waited for such a ticket are
     * refused.
     */
    async expireUndecided(limit: number): Promise<number> {
      const rows = await store
        .selectFrom('operations')
        .selectAll()
        .where('due_at', 'is', null)
        .where('finished_at', 'is', null)
        .where('started_at', '<', now() - keep.undecidedMs)
        .where('state', 'in', ['accepted', 'unknown'])
        .limit(limit)
        .execute();
      // If the process ends in between, `eraseRejected` erases the text later.
      for (const row of rows)
        if (await ledger.move(row, { type: 'given_up', reason: 'not_found' }))
          await store
            .updateTable('operations')
            .set({ payload_sealed: null })
            .where('id', '=', row.id)
            .execute();
      return rows.length;
    },

    /** How many sends of a subject are still to be delivered. A reply counts once its ticket exists. */
    async countUndelivered(subjectId: string, db = store): Promise<number> {
      const { count } = await db
        .selectFrom('operations')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('subject_id', '=', subjectId)
        .where(({ and, eb, or }) =>
          or([
            eb('state', '=', 'sending'),
            and([
              eb('due_at', 'is not', null),
              or([eb('kind', '=', 'ticket'), eb('ticket_id', 'is not', null)]),
            ]),
          ]),
        )
        .executeTakeFirstOrThrow();
      return count;
    },

    /**
     * Gives each opening send of a ticket with other holders to one of them, if possible to one who has proven the
     * address. The send shows under which address the ticket was opened.
     */
    async passOpenings(subjectId: string, db: Store): Promise<void> {
      const otherHolders = ({ selectFrom }: ExpressionBuilder<Tables, 'operations'>) =>
        selectFrom('grants')
          .select('grants.subject_id')
          .whereRef('grants.ticket_id', '=', 'operations.ticket_id')
          .where('grants.subject_id', '!=', subjectId)
          .where('grants.colleague', '=', 0)
          .orderBy('grants.trusted', 'desc')
          .orderBy('grants.subject_id')
          .limit(1);
      await db
        .updateTable('operations')
        .set((eb) => ({ payload_sealed: null, subject_id: otherHolders(eb) }))
        .where('subject_id', '=', subjectId)
        .where('kind', '=', 'ticket')
        .where((eb) => eb.exists(otherHolders(eb)))
        .execute();
    },

    /**
     * Removes replies, by any sender, to tickets that this subject has not opened yet. Nothing else would end them.
     */
    async removeWaitingFor(subjectId: string, db: Store): Promise<void> {
      const openings = await db
        .selectFrom('operations')
        .select('id')
        .where('subject_id', '=', subjectId)
        .where('kind', '=', 'ticket')
        .where('ticket_id', 'is', null)
        .execute();
      for (const { id } of openings) await db.deleteFrom('operations').where('opened_by', '=', id).execute();
    },

    /** The sends that opened a ticket under this address, or will open one, by any sender. */
    openedUnder: (addressHash: string): Promise<OperationRow[]> =>
      store
        .selectFrom('operations')
        .selectAll()
        .where('address_hash', '=', addressHash)
        .where('kind', '=', 'ticket')
        .orderBy('seq')
        .execute(),

    /** How many sends to the ticket of `opening` are still to be delivered, itself included. */
    async countUndeliveredTo(opening: OperationRow, db = store): Promise<number> {
      const rows = await db
        .selectFrom('operations')
        .select(['state', 'due_at'])
        .where((query) => isTo(query, opening))
        .execute();
      return rows.filter(({ state, due_at }) => state === 'sending' || due_at !== null).length;
    },

    /** Removes all sends to the ticket of `opening`, itself included. */
    async removeTo(opening: OperationRow, db: Store): Promise<void> {
      await db
        .deleteFrom('operations')
        .where((query) => isTo(query, opening))
        .execute();
    },

    /** Removes sends of a subject. */
    async removeOf(subjectId: string, limit: number, db: Store): Promise<number> {
      const { numDeletedRows } = await db
        .deleteFrom('operations')
        .where('seq', 'in', ({ selectFrom }) =>
          selectFrom('operations as own')
            .select('own.seq')
            .where('own.subject_id', '=', subjectId)
            .limit(limit),
        )
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };
}

export type SendRetention = ReturnType<typeof createSendRetention>;
