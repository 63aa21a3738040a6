import { sql } from 'kysely';
import type { Subject } from '../identity/subjects.ts';
import type { Store } from '../store/open.ts';
import { inTransaction, lockTickets } from '../store/statements/transaction.ts';
import type { OperationChanges } from './operations.ts';
import { listOf, lockForShare } from '../store/dialect.ts';
import { prepare } from '../store/statements/prepared.ts';

declare const checked: unique symbol;

/** `addressHash`: of the address that the ticket was opened under. Null when the subject has not opened it. */
type NewGrant = { subjectId: string; ticketId: string; addressHash: string | null };
type ExternalGrant = NewGrant & { addressHash: string; readCount: number };
/** A ticket with the colleague who has opened it. */
export type ColleagueTicket = { ticketId: string; openerId: string };

/** A subject's right to one ticket. Only this file creates grants, so a grant proves that the right was checked. */
export interface Grant {
  readonly [checked]: true;
  readonly subjectId: string;
  readonly ticketId: string;
  /**
   * Whether all messages may be read: the ticket was opened under an address that its holder has proven. For a
   * colleague, the holder is whoever holds the ticket as their own.
   */
  readonly isTrusted: boolean;
  /** A colleague has opened the ticket. SECURITY: it may be read and nothing else. */
  readonly isColleague: boolean;
}

/** A grant with the number of agents' messages that its holder has read. */
export interface HeldGrant extends Grant {
  readonly readCount: number;
}

/** A part of the BFF that stores more for each grant. Its rows are deleted with the grant. */
export interface TransferHook {
  /** The tickets of `fromId` were granted to `toId`, and `fromId` still has its own grants. */
  onTransfer?(fromId: string, toId: string, db: Store): Promise<void>;
}

/** `Grant.isTrusted`, which follows the holder's proof also for colleagues. */
export const trustedColumn = () =>
  sql<number | null>`case when grants.colleague = 0 then grants.trusted else (
    select max(own.trusted) from grants as own where own.ticket_id = grants.ticket_id and own.colleague = 0
  ) end`.as('trusted');

const rightsOf = (row: { trusted: number | null; colleague: number }) => ({
  isTrusted: row.trusted === 1,
  isColleague: row.colleague === 1,
});

/** The only access to a ticket. Only these rows decide about access, never an answer of the ticket service. */
export function createGrants(deps: {
  store: Store;
  operations: Pick<OperationChanges, 'markOwned' | 'endUndecided'>;
  parts?: readonly TransferHook[];
  now: () => number;
}) {
  const { store, operations, parts = [], now } = deps;

  const findGrant = prepare((grant: { subjectId: string; ticketId: string }) =>
    store
      .selectFrom('grants')
      .select([trustedColumn(), 'colleague'])
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
        // 1 when the subject has proven that address.
        trusted: lockForShare(
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
  const findGrants = prepare((of: { subjectIds: string; ticketId: string }) =>
    store
      .selectFrom('grants')
      .select(['subject_id', trustedColumn(), 'colleague', 'read_count'])
      .where('subject_id', 'in', listOf(store, of.subjectIds))
      .where('ticket_id', '=', of.ticketId),
  );
  const opened = (db = store) =>
    db.selectFrom('operations').where('operations.kind', '=', 'ticket').where('ticket_id', 'is not', null);
  /** Tickets opened under this address, here or elsewhere. */
  const openedUnder = (addressHash: string, db = store) =>
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
  const claimableBy = prepare(({ ids }: { ids: string }) =>
    opened()
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
  const insertExternal = prepare((of: ExternalGrant & { createdAt: number }) =>
    store
      .insertInto('grants')
      .columns(['subject_id', 'ticket_id', 'created_at', 'read_count', 'trusted'])
      .expression((eb) =>
        lockForShare(
          eb
            .selectFrom('subjects')
            .select(({ cast, val }) => [
              'id',
              cast<string>(val(of.ticketId), 'text').as('ticket_id'),
              cast<number>(val(of.createdAt), 'bigint').as('created_at'),
              cast<number>(val(of.readCount), 'integer').as('read_count'),
              cast<number>(val(1), 'integer').as('trusted'),
            ])
            .where('id', '=', of.subjectId)
            .where('verified', '=', 1)
            .where('address_hash', '=', of.addressHash),
          store,
        ),
      )
      .onConflict((conflict) => conflict.doNothing())
      .returning('ticket_id'),
  );

  /**
   * Tickets under the subject's proven address that it may claim for itself alone: tickets that no owner of that
   * address has ever held, and its own tickets that somebody else holds too.
   */
  async function claimable({ id, addressHash }: Subject, db = store): Promise<string[]> {
    if (addressHash === null) return [];
    const rows = await claimableBy(db, { ids: JSON.stringify([id]) });
    return rows.map((row) => row.ticket_id!);
  }

  /** Ids of the tickets that a subject holds as its own, or that colleagues have opened. */
  async function ticketsOf(subjectId: string, db: Store, colleague: 0 | 1 = 0): Promise<string[]> {
    const rows = await db
      .selectFrom('grants')
      .select('ticket_id')
      .where('subject_id', '=', subjectId)
      .where('colleague', '=', colleague)
      .execute();
    return rows.map((row) => row.ticket_id);
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
    claimable,
    ticketsOf,

    /** Null for foreign, unknown and malformed ids alike. */
    async find(subjectId: string, ticketId: string): Promise<Grant | null> {
      const [row] = await findGrant(store, { subjectId, ticketId });
      return row ? ({ subjectId, ticketId, ...rightsOf(row) } as Grant) : null;
    },

    /** The same for many subjects, by id of the subject. */
    async findAll(subjectIds: readonly string[], ticketId: string): Promise<Map<string, HeldGrant>> {
      const rows = await findGrants(store, { subjectIds: JSON.stringify(subjectIds), ticketId });
      const toGrant = (row: (typeof rows)[number]) =>
        ({
          subjectId: row.subject_id,
          ticketId,
          ...rightsOf(row),
          readCount: row.read_count,
        }) as HeldGrant;
      return new Map(rows.map((row) => [row.subject_id, toGrant(row)]));
    },

    /** The number of tickets that each of these subjects may claim. Subjects without any are left out. */
    async countClaimable(subjects: Iterable<Subject>): Promise<Map<string, number>> {
      const ids = Array.from(subjects).flatMap(({ id, addressHash }) => (addressHash === null ? [] : id));
      const rows = ids.length === 0 ? [] : await claimableBy(store, { ids: JSON.stringify(ids) });
      const counts = new Map<string, number>();
      for (const { id } of rows) counts.set(id, (counts.get(id) ?? 0) + 1);
      return counts;
    },

    /** Removes all grants to this ticket. */
    async removeAllTo(ticketId: string, db: Store): Promise<void> {
      await lockTickets([ticketId], db);
      await db.deleteFrom('grants').where('ticket_id', '=', ticketId).execute();
    },

    /**
     * Makes these the tickets of colleagues that the subject may read, as far as their openers hold them. Returns
     * whether that is a change. SECURITY: the caller must have locked what says that they are colleagues.
     */
    async setColleagueTickets(
      subjectId: string,
      tickets: readonly ColleagueTicket[],
      db: Store,
    ): Promise<boolean> {
      const before = await ticketsOf(subjectId, db, 1);
      const lost = before.filter((id) => tickets.every(({ ticketId }) => ticketId !== id));
      const found = tickets.filter(({ ticketId }) => !before.includes(ticketId));
      await lockTickets([...lost, ...found.map(({ ticketId }) => ticketId)], db);
      if (lost.length > 0)
        await db
          .deleteFrom('grants')
          .where('subject_id', '=', subjectId)
          .where('colleague', '=', 1)
          .where('ticket_id', 'in', lost)
          .execute();
      // What the subject holds as its own stays its own, and is no change.
      const added =
        found.length > 0 &&
        (await db
          .insertInto('grants')
          .columns(['subject_id', 'ticket_id', 'created_at', 'colleague'])
          .expression(({ selectFrom }) =>
            selectFrom('grants')
              .select(({ cast, val }) => [
                cast<string>(val(subjectId), 'text').as('subject_id'),
                'ticket_id',
                cast<number>(val(now()), 'bigint').as('created_at'),
                cast<number>(val(1), 'integer').as('colleague'),
              ])
              .where('colleague', '=', 0)
              .where(({ and, or }) =>
                or(found.map(({ ticketId, openerId }) => and({ ticket_id: ticketId, subject_id: openerId }))),
              ),
          )
          .onConflict((conflict) => conflict.doNothing())
          .returning('ticket_id')
          .execute());
      return lost.length > 0 || (added && added.length > 0);
    },

    /** Takes these tickets from colleagues of their openers. Returns the subjects that lost one. */
    async removeColleagues(ticketIds: readonly string[], db: Store): Promise<string[]> {
      const removed = await db
        .deleteFrom('grants')
        .where('ticket_id', 'in', listOf(db, JSON.stringify(ticketIds)))
        .where('colleague', '=', 1)
        .returning('subject_id')
        .execute();
      return [...new Set(removed.map((row) => row.subject_id))];
    },

    /** Adds a grant for a ticket that was just opened. `trusted` of the returned row is 1 for a trusted grant. */
    addingOpened: (grant: NewGrant) => insert.of({ ...grant, createdAt: now() }),

    /**
     * Adds a grant for a ticket that was found under this address, if the subject has proven it. Its first `readCount`
     * answers count as read. Returns false when the subject has not proven it, or already holds the ticket.
     */
    async addExternal(found: ExternalGrant, db: Store): Promise<boolean> {
      const added = await insertExternal(db, { ...found, createdAt: now() });
      return added.length > 0;
    },

    /**
     * Removes the grants for a ticket opened elsewhere from all subjects that have not proven this address. Returns
     * these subjects.
     */
    async removeExternal(ticketId: string, addressHash: string, db: Store): Promise<string[]> {
      await lockTickets([ticketId], db);
      const theirs = db
        .selectFrom('subjects')
        .select('id')
        .where('verified', '=', 1)
        .where('address_hash', '=', addressHash);
      const removed = await db
        .deleteFrom('grants')
        .where('ticket_id', '=', ticketId)
        .where('subject_id', 'not in', theirs)
        .returning('subject_id')
        .execute();
      return removed.map((row) => row.subject_id);
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

export type Grants = ReturnType<typeof createGrants>;
