import { listOf, lockForShare } from '../store/dialect.ts';
import type { Store } from '../store/open.ts';
import { prepare } from '../store/statements/prepared.ts';

/** `addressHash`: of the address that the ticket was opened under. Null when the subject has not opened it. */
export type NewGrant = { subjectId: string; ticketId: string; addressHash: string | null };
export type ExternalGrant = NewGrant & { addressHash: string; readCount: number };

/** The SQL of `grants.ts`, which alone decides about grants. */
export function createGrantStatements(store: Store) {
  const find = prepare((grant: { subjectId: string; ticketId: string }) =>
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
  const findMany = prepare((of: { subjectIds: string; ticketId: string }) =>
    store
      .selectFrom('grants')
      .select(['subject_id', 'trusted', 'read_count'])
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
          .whereRef('grants.ticket_id', '=', 'operations.ticket_id');
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

  return { find, insert, insertExternal, findMany, openedUnder, claimableBy };
}
