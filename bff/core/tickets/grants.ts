import { sql } from 'kysely';
import type { Store } from '../store/open.ts';
import { lockTickets } from '../store/statements/transaction.ts';
import { listOf, lockForShare } from '../store/dialect.ts';
import { prepare } from '../store/statements/prepared.ts';
import { prepareRead } from '../store/statements/reads-together.ts';

declare const checked: unique symbol;

/** `addressHash`: of the address that the ticket was opened under. */
type ExternalGrant = { subjectId: string; ticketId: string; addressHash: string; readCount: number };
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

/** `Grant.isTrusted`, which follows the holder's proof also for colleagues. */
export const trustedColumn = () =>
  sql<number | null>`case when grants.colleague = 0 then grants.trusted else (
    select max(own.trusted) from grants as own where own.ticket_id = grants.ticket_id and own.colleague = 0
  ) end`.as('trusted');

const rightsOf = (row: { trusted: number | null; colleague: number }) => ({
  isTrusted: row.trusted === 1,
  isColleague: row.colleague === 1,
});

/** Ids of the tickets that a subject holds as its own, or that colleagues have opened. */
export async function ticketsOf(subjectId: string, db: Store, colleague: 0 | 1 = 0): Promise<string[]> {
  const rows = await db
    .selectFrom('grants')
    .select('ticket_id')
    .where('subject_id', '=', subjectId)
    .where('colleague', '=', colleague)
    .execute();
  return rows.map((row) => row.ticket_id);
}

/** The statements of every request and every send, each built once. */
function prepareStatements(store: Store) {
  const findGrant = prepareRead((grant: { subjectId: string; ticketId: string }) =>
    store
      .selectFrom('grants')
      .select([trustedColumn(), 'colleague'])
      .where('subject_id', '=', grant.subjectId)
      .where('ticket_id', '=', grant.ticketId),
  );
  const findGrants = prepare((of: { subjectIds: string; ticketId: string }) =>
    store
      .selectFrom('grants')
      .select(['subject_id', trustedColumn(), 'colleague', 'read_count'])
      .where('subject_id', 'in', listOf(store, of.subjectIds))
      .where('ticket_id', '=', of.ticketId),
  );
  const insertOpened = prepare((of: { operationIds: string; createdAt: number }) =>
    store
      .insertInto('grants')
      .columns(['subject_id', 'ticket_id', 'created_at', 'trusted'])
      .expression(({ selectFrom }) =>
        selectFrom('operations')
          .select(({ cast, val, selectFrom: select }) => [
            'subject_id',
            'ticket_id',
            cast<number>(val(of.createdAt), 'bigint').as('created_at'),
            // 1 when the subject has proven that address.
            lockForShare(
              select('subjects')
                .select(({ and, case: when, eb, ref }) =>
                  when()
                    .when(
                      and([
                        eb('subjects.verified', '=', 1),
                        eb('subjects.address_hash', '=', ref('operations.address_hash')),
                      ]),
                    )
                    .then(1)
                    .else(0)
                    .end()
                    .as('trusted'),
                )
                .whereRef('subjects.id', '=', 'operations.subject_id'),
              store,
            ).as('trusted'),
          ])
          .where('id', 'in', listOf(store, of.operationIds)),
      )
      .returning(['ticket_id', 'trusted']),
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
  return { findGrant, findGrants, insertOpened, insertExternal };
}

/** The only access to a ticket. Only these rows decide about access, never an answer of the ticket service. */
export function createGrants({ store, now }: { store: Store; now: () => number }) {
  const { findGrant, findGrants, insertOpened, insertExternal } = prepareStatements(store);

  return {
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

    /**
     * Adds a grant for the ticket of each of these sends to its sender. `trusted` of a returned row is 1 for a trusted
     * grant.
     */
    addingOpened: (operationIds: readonly string[]) =>
      insertOpened.of({ operationIds: JSON.stringify(operationIds), createdAt: now() }),

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
  };
}

export type Grants = ReturnType<typeof createGrants>;
