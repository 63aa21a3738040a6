import type { OperationState } from '../../contract/tickets.ts';
import type { Store } from '../../store/open.ts';
import type { OperationRow } from '../../store/schema.ts';
import { notDone } from './not-done.ts';

/** `open`: everything that is not done. `undecided`: not tried again without a decision. */
export type ListedState = OperationState | 'open' | 'undecided';

/** Reads the ledger for operators. */
export function createLedgerList({ store }: { store: Store }) {
  const all = () => store.selectFrom('operations').selectAll();

  return {
    /** The newest `limit` operations of one state, oldest first. */
    async list(state: ListedState, limit: number): Promise<OperationRow[]> {
      const rows = await all()
        .$if(state !== 'done', (query) => query.where(notDone('operations')))
        .$if(state === 'undecided', (query) =>
          query.where('state', 'in', ['accepted', 'unknown']).where('due_at', 'is', null),
        )
        .$if(state !== 'open' && state !== 'undecided', (query) =>
          query.where('state', '=', state as OperationState),
        )
        .orderBy('seq', 'desc')
        .limit(limit)
        .execute();
      return rows.toReversed();
    },

    /** By its id, or by the ref that agents see in the last line of a ticket. */
    async find(idOrRef: string): Promise<OperationRow | undefined> {
      return all()
        .where(({ eb, or }) => or([eb('id', '=', idOrRef), eb('ref', '=', idOrRef)]))
        .executeTakeFirst();
    },
  };
}
