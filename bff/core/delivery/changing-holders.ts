import type { Store } from '../store/open.ts';
import type { OperationChanges } from '../tickets/operations.ts';
import { isUndecided } from './due.ts';

/**
 * Changes whose sends they are, when tickets get another holder or customers become one. This does not raise the fence: it
 * changes no column that `machine.ts` depends on, and a send in flight must still be able to record its outcome.
 */
export function createOperationChanges({ now }: { now: () => number }): OperationChanges {
  return {
    async markOwned(subjectId, db) {
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
    },

    async endUndecided(ticketIds, ownerId, db) {
      await db
        .updateTable('operations')
        .set({ due_at: now() })
        .where('ticket_id', 'in', ticketIds)
        .where('subject_id', '!=', ownerId)
        .where(isUndecided)
        .execute();
    },

    async reassign({ subjectId, sessionId, addressHash }, toId, db) {
      const openings = openedUnder(addressHash ?? '', db);
      await db
        .updateTable('operations')
        .set({ subject_id: toId })
        .where('subject_id', '=', subjectId)
        .$if(sessionId !== undefined, (query) => query.where('session_id', '=', sessionId!))
        .$if(addressHash !== undefined, (query) =>
          query.where(({ eb, or }) =>
            or([
              eb('id', 'in', openings.select('opening.id')),
              eb('opened_by', 'in', openings.select('opening.id')),
              eb('ticket_id', 'in', openings.select('opening.ticket_id')),
            ]),
          ),
        )
        .execute();
    },
  };
}

const openedUnder = (addressHash: string, db: Store) =>
  db
    .selectFrom('operations as opening')
    .where('opening.kind', '=', 'ticket')
    .where('opening.address_hash', '=', addressHash);
