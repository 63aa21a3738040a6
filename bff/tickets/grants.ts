import type { Subject } from '../session/subjects.ts';
import type { Store } from '../store/open.ts';
import { inTransaction, keptWhileDecided, lockTickets } from '../store/transaction.ts';
import { listOf } from '../store/lists.ts';
import { prepare } from '../store/prepared.ts';
import type { OperationChanges } from './operation-changes.ts';

declare const checked: unique symbol;

/** A subject's right to one ticket. Made only here: whoever has one was checked. */
export interface Grant {
  readonly [checked]: true;
  readonly subjectId: string;
  readonly ticketId: string;
  /** The ticket was opened under an address that the subject has proven. */
  readonly isTrusted: boolean;
}

/** A grant with how many of the agents' messages its holder has read. */
export interface HeldGrant extends Grant {
  readonly readCount: number;
}

/** `addressHash`: of the address that the ticket was opened under; null where the subject has not opened it. */
type NewGrant = { subjectId: string; ticketId: string; addressHash: string | null };

/** The only way to a ticket: a row here decides, never an answer of the ticket service. */
export function createGrants(deps: {
  store: Store;
  operations: Pick<OperationChanges, 'markOwned' | 'endUndecided'>;
  now: () => number;
}) {
  const { store, operations, now } = deps;
  const held = prepare((grant: { subjectId: string; ticketId: string }) =>
    store
      .selectFrom('grants')
      .select('trusted')
      .where('subject_id', '=', grant.subjectId)
      .where('ticket_id', '=', grant.ticketId),
  );
  const insert = prepare((of: NewGrant & { createdAt: number }) =>
    store
      .insertInto('grants')
      .values(({ selectFrom }) => ({
        subject_id: of.subjectId,
        ticket_id: of.ticketId,
        created_at: of.createdAt,
        // 1 where the subject has proven that address.
        trusted: keptWhileDecided(
          selectFrom('subjects')
            .select(({ and, case: when, eb }) =>
              when()
                .when(and([eb('verified', '=', 1), eb('address_hash', '=', of.addressHash)]))
                .then(1)
                .else(0)
                .end()
                .as('trusted'),
            )
            .where('id', '=', of.subjectId),
          store,
        ),
      }))
      .returning('trusted'),
  );
  const heldByMany = prepare((of: { subjectIds: string; ticketId: string }) =>
    store
      .selectFrom('grants')
      .select(['subject_id', 'trusted', 'read_count'])
      .where('subject_id', 'in', listOf(store, of.subjectIds))
      .where('ticket_id', '=', of.ticketId),
  );
  const opened = (db = store) =>
    db.selectFrom('operations').where('operations.kind', '=', 'ticket').where('ticket_id', 'is not', null);
  const openedUnder = (addressHash: string, db = store) =>
    opened(db).select('ticket_id').where('operations.address_hash', '=', addressHash);

  /** The subjects with their tickets under the address that they have proven: see `claimable`. */
  const claimableBy = prepare(({ ids }: { ids: string }) =>
    opened()
      .innerJoin('subjects', 'subjects.address_hash', 'operations.address_hash')
      .select(['subjects.id', 'operations.ticket_id'])
      .where('subjects.id', 'in', listOf(store, ids))
      .where('subjects.verified', '=', 1)
      .where(({ and, eb, exists, not, or, ref, selectFrom }) => {
        const grants = selectFrom('grants')
          .select('grants.ticket_id')
          .whereRef('grants.ticket_id', '=', 'operations.ticket_id');
        const byMe = exists(grants.where('grants.subject_id', '=', ref('subjects.id')));
        const byOthers = exists(
          grants.where('grants.subject_id', '!=', ref('subjects.id')).where('trusted', '=', 0),
        );
        return or([and([byMe, byOthers]), and([not(byMe), eb('owned', '=', 0)])]);
      }),
  );

  /**
   * Tickets under the subject's proven address that it may take for itself alone: tickets that no owner of that address
   * ever held, and its own that somebody else holds too.
   */
  async function claimable({ id, addressHash }: Subject, db = store): Promise<string[]> {
    if (addressHash === null) return [];
    const rows = await claimableBy(db, { ids: JSON.stringify([id]) });
    return rows.map((row) => row.ticket_id!);
  }

  /** Ids of the tickets that a subject holds. */
  async function ticketsOf(subjectId: string, db: Store): Promise<string[]> {
    const rows = await db
      .selectFrom('grants')
      .select('ticket_id')
      .where('subject_id', '=', subjectId)
      .execute();
    return rows.map((row) => row.ticket_id);
  }

  async function trust({ id, addressHash }: Subject, db: Store): Promise<void> {
    await lockTickets(await ticketsOf(id, db), db);
    const own = openedUnder(addressHash ?? '', db);
    await db
      .updateTable('grants')
      .set(({ eb }) => ({ trusted: eb.case().when('ticket_id', 'in', own).then(1).else(0).end() }))
      .where('subject_id', '=', id)
      .execute();
    await operations.markOwned(id, db);
  }

  return {
    claimable,
    ticketsOf,

    /** Null for foreign, unknown and malformed ids alike. */
    async find(subjectId: string, ticketId: string): Promise<Grant | null> {
      const [row] = await held(store, { subjectId, ticketId });
      return row ? ({ subjectId, ticketId, isTrusted: row.trusted === 1 } as Grant) : null;
    },

    /** The same for many subjects, by id of the subject. */
    async findAll(subjectIds: readonly string[], ticketId: string): Promise<Map<string, HeldGrant>> {
      const rows = await heldByMany(store, { subjectIds: JSON.stringify(subjectIds), ticketId });
      const toGrant = (row: (typeof rows)[number]) =>
        ({
          subjectId: row.subject_id,
          ticketId,
          isTrusted: row.trusted === 1,
          readCount: row.read_count,
        }) as HeldGrant;
      return new Map(rows.map((row) => [row.subject_id, toGrant(row)]));
    },

    /** How many tickets each of these subjects may take; those that may take none are left out. */
    async countClaimable(subjects: Iterable<Subject>): Promise<Map<string, number>> {
      const ids = Array.from(subjects).flatMap(({ id, addressHash }) => (addressHash === null ? [] : id));
      const rows = ids.length === 0 ? [] : await claimableBy(store, { ids: JSON.stringify(ids) });
      const counts = new Map<string, number>();
      for (const { id } of rows) counts.set(id, (counts.get(id) ?? 0) + 1);
      return counts;
    },

    /** Nobody holds this ticket any more. */
    async removeAllTo(ticketId: string, db: Store): Promise<void> {
      await lockTickets([ticketId], db);
      await db.deleteFrom('grants').where('ticket_id', '=', ticketId).execute();
    },

    /** The right to a ticket that was just opened. */
    async addOpened(grant: NewGrant, db: Store): Promise<void> {
      const [added] = await insert(db, { ...grant, createdAt: now() });
      if (added?.trusted === 1) await operations.markOwned(grant.subjectId, db);
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

    /** Decides anew which of the subject's tickets were opened under the address that it has proven by now. */
    trust: (subject: Subject, db?: Store): Promise<void> =>
      db ? trust(subject, db) : inTransaction(store, (trx) => trust(subject, trx)),

    /**
     * Gives `toId` the tickets of `fromId`; only those that were opened under `addressHash`, where that is given.
     * `keepSource`: `fromId` keeps its right to them.
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
        .$if(addressHash !== undefined, (query) =>
          query.where('ticket_id', 'in', openedUnder(addressHash!, db)),
        )
        .execute();
      for (const { ticket_id, read_count } of rows) {
        await db
          .insertInto('grants')
          .values({ subject_id: toId, ticket_id, read_count, created_at: now() })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        if (!keepSource)
          await db
            .deleteFrom('grants')
            .where('subject_id', '=', fromId)
            .where('ticket_id', '=', ticket_id)
            .execute();
      }
    },

    /**
     * The owner of the address takes what others opened under it, from then on theirs alone. Returns the subjects that
     * lost a ticket.
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
        // The losers can no longer decide about what they had left undecided.
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
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        await operations.markOwned(subject.id, trx);
        return [...new Set(revoked.map((row) => row.subject_id))];
      });
    },
  };
}

export type Grants = ReturnType<typeof createGrants>;
