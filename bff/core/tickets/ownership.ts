import type { Subject } from '../identity/subjects.ts';
import { listOf } from '../store/dialect.ts';
import type { Store } from '../store/open.ts';
import { prepare } from '../store/statements/prepared.ts';
import { inTransaction, lockTickets } from '../store/statements/transaction.ts';
import { ticketsOf } from './grants.ts';
import type { OperationChanges } from './operations.ts';

/** A part of the BFF that stores more for each grant. Its rows are deleted with the grant. */
export interface TransferHook {
  /** The tickets of `fromId` were granted to `toId`, and `fromId` still has its own grants. */
  onTransfer?(fromId: string, toId: string, db: Store): Promise<void>;
}

const opened = (db: Store) =>
  db.selectFrom('operations').where('operations.kind', '=', 'ticket').where('ticket_id', 'is not', null);
/** Tickets opened under this address, here or elsewhere. */
const openedUnder = (addressHash: string, db: Store) =>
  opened(db)
    .select('ticket_id')
    .where('operations.address_hash', '=', addressHash)
    .union(
      db
        .selectFrom('listed_tickets')
        .select('id as ticket_id')
        .where('listed_tickets.address_hash', '=', addressHash),
    );

/** The subjects, with the tickets under their proven address that they may claim: see `claimable`. */
const prepareClaimable = (store: Store) =>
  prepare(({ ids }: { ids: string }) =>
    opened(store)
      .innerJoin('subjects', 'subjects.address_hash', 'operations.address_hash')
      .select(['subjects.id', 'operations.ticket_id'])
      .where('subjects.id', 'in', listOf(store, ids))
      .where('subjects.verified', '=', 1)
      .where(({ and, eb, exists, not, or, ref, selectFrom }) => {
        const grants = selectFrom('grants')
          .select('grants.ticket_id')
          .whereRef('grants.ticket_id', '=', 'operations.ticket_id')
          .where('grants.colleague', '=', 0);
        const byMe = exists(grants.where('grants.subject_id', '=', ref('subjects.id')));
        const byOthers = exists(
          grants.where('grants.subject_id', '!=', ref('subjects.id')).where('trusted', '=', 0),
        );
        return or([and([byMe, byOthers]), and([not(byMe), eb('owned', '=', 0)])]);
      }),
  );

/**
 * Who owns a ticket: whoever has proven the address that it was opened under. It moves grants from one subject to another, and
 * knows nothing of what a grant allows.
 */
export function createOwnership(deps: {
  store: Store;
  operations: Pick<OperationChanges, 'markOwned' | 'endUndecided'>;
  parts?: readonly TransferHook[];
  now: () => number;
}) {
  const { store, operations, parts = [], now } = deps;
  const claimableBy = prepareClaimable(store);

  /**
   * Tickets under the subject's proven address that it may claim for itself alone: tickets that no owner of that
   * address has ever held, and its own tickets that somebody else holds too.
   */
  async function claimable({ id, addressHash }: Subject, db = store): Promise<string[]> {
    if (addressHash === null) return [];
    const rows = await claimableBy(db, { ids: JSON.stringify([id]) });
    return rows.map((row) => row.ticket_id!);
  }

  async function trust({ id, addressHash }: Subject, db: Store): Promise<void> {
    await lockTickets(await ticketsOf(id, db), db);
    // Tickets that were found under an address are lost with the address.
    const notTheirs = db
      .selectFrom('listed_tickets')
      .select('id')
      .where(({ eb, or }) =>
        or([eb('address_hash', 'is', null), eb('address_hash', '!=', addressHash ?? '')]),
      );
    await db.deleteFrom('grants').where('subject_id', '=', id).where('ticket_id', 'in', notTheirs).execute();
    const own = openedUnder(addressHash ?? '', db);
    await db
      .updateTable('grants')
      .set(({ eb }) => ({ trusted: eb.case().when('ticket_id', 'in', own).then(1).else(0).end() }))
      .where('subject_id', '=', id)
      .where('colleague', '=', 0)
      .execute();
    await operations.markOwned(id, db);
  }

  return {
    /** The number of tickets that each of these subjects may claim. Subjects without any are left out. */
    async countClaimable(subjects: Iterable<Subject>): Promise<Map<string, number>> {
      const ids = Array.from(subjects).flatMap(({ id, addressHash }) => (addressHash === null ? [] : id));
      const rows = ids.length === 0 ? [] : await claimableBy(store, { ids: JSON.stringify(ids) });
      const counts = new Map<string, number>();
      for (const { id } of rows) counts.set(id, (counts.get(id) ?? 0) + 1);
      return counts;
    },

    /** Recomputes which of the subject's tickets were opened under its current proven address. */
    trust: (subject: Subject, db?: Store): Promise<void> =>
      db ? trust(subject, db) : inTransaction(store, (trx) => trust(subject, trx)),

    /**
     * Grants `toId` the tickets of `fromId`, or with `addressHash` only those opened under that address.
     * `keepSource`: `fromId` keeps its grants.
     */
    async transfer(
      fromId: string,
      toId: string,
      { keepSource, addressHash }: { keepSource: boolean; addressHash?: string | undefined },
      db: Store,
    ): Promise<void> {
      await lockTickets(await ticketsOf(fromId, db), db);
      const rows = await db
        .selectFrom('grants')
        .select(['ticket_id', 'read_count'])
        .where('subject_id', '=', fromId)
        .where('colleague', '=', 0)
        .$if(addressHash !== undefined, (query) =>
          query.where('ticket_id', 'in', openedUnder(addressHash!, db)),
        )
        .execute();
      for (const { ticket_id, read_count } of rows)
        await db
          .insertInto('grants')
          .values({ subject_id: toId, ticket_id, read_count, created_at: now() })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      for (const part of parts) await part.onTransfer?.(fromId, toId, db);
      if (keepSource) return;
      for (const { ticket_id } of rows)
        await db
          .deleteFrom('grants')
          .where('subject_id', '=', fromId)
          .where('ticket_id', '=', ticket_id)
          .execute();
    },

    /**
     * The owner of the address claims the tickets that others opened under it. They then lose them. Returns the
     * subjects that lost a ticket.
     */
    async claim(subject: Subject): Promise<string[]> {
      return inTransaction(store, async (trx) => {
        await lockTickets(await claimable(subject, trx), trx);
        const ticketIds = await claimable(subject, trx);
        if (ticketIds.length === 0) return [];
        const revoked = await trx
          .deleteFrom('grants')
          .where('ticket_id', 'in', ticketIds)
          .where('subject_id', '!=', subject.id)
          .where('trusted', '=', 0)
          .returning('subject_id')
          .execute();
        // The former holders can no longer decide about their undecided sends.
        await operations.endUndecided(ticketIds, subject.id, trx);
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
          .onConflict((conflict) =>
            conflict.columns(['subject_id', 'ticket_id']).doUpdateSet({ trusted: 1, colleague: 0 }),
          )
          .execute();
        await operations.markOwned(subject.id, trx);
        return [...new Set(revoked.map((row) => row.subject_id))];
      });
    },
  };
}

export type Ownership = ReturnType<typeof createOwnership>;
