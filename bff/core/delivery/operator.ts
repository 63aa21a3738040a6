import type { OperationState } from '../../../shared/contract/tickets.ts';
import { countByParts, isInPart } from '../store/statements/count.ts';
import type { Store } from '../store/open.ts';
import { prepare } from '../store/statements/prepared.ts';
import type { OperationRow } from '../store/schema.ts';
import { isUndecided, notDone } from './due.ts';

/* Reads the ledger for operators: lists and counts. */

type Undelivered = Exclude<OperationState, 'done' | 'rejected'>;

type Counted = Pick<OperationRow, 'kind' | 'state'> & { count: number; ambiguous: number };

/** Adds to the sum the counts of a part. */
function added(sum: Counted[], part: readonly Counted[]): Counted[] {
  for (const row of part) {
    const same = sum.find(({ kind, state }) => kind === row.kind && state === row.state);
    if (same) {
      same.count += row.count;
      same.ambiguous += row.ambiguous;
    } else sum.push(row);
  }
  return sum;
}

/** Counts of the ledger's rows, for operators. In a large store, counts of all rows may be some minutes old. */
export function createLedgerCounts({ store, now }: { store: Store; now: () => number }) {
  const ofPart = prepare(({ after, upTo }: { after: number; upTo: number }) =>
    store
      .selectFrom('operations')
      .select(({ fn }) => [
        'kind',
        'state',
        fn.countAll<number>().as('count'),
        fn
          .countAll<number>()
          .filterWhere('state', '=', 'done')
          .filterWhere('ambiguous', '=', 1)
          .as('ambiguous'),
      ])
      .where(isInPart(store, { after, upTo }))
      .groupBy(['kind', 'state']),
  );
  const all = countByParts<Counted[]>(
    { store, table: 'operations' },
    ({ after, upTo }) => ofPart(store, { after, upTo }),
    added,
  );

  return {
    byKindAndState: all,

    async undecided(): Promise<number> {
      const { count } = await store
        .selectFrom('operations')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where(isUndecided)
        .executeTakeFirstOrThrow();
      return count;
    },

    ambiguous: async (): Promise<number> => (await all()).reduce((sum, row) => sum + row.ambiguous, 0),

    /** Age of the oldest send that is still being tried, by state; 0 without one. */
    async oldestUndeliveredSec(): Promise<Record<Undelivered, number>> {
      const rows = await store
        .selectFrom('operations')
        .select(({ fn }) => ['state', fn.min('created_at').as('at')])
        .where(notDone('operations'))
        .where('state', 'in', ['accepted', 'sending', 'unknown'])
        .where(({ eb, or }) => or([eb('state', '=', 'sending'), eb('due_at', 'is not', null)]))
        .groupBy('state')
        .execute();
      const ageOf = (state: Undelivered) => {
        const at = rows.find((row) => row.state === state)?.at ?? now();
        return Math.max(0, Math.round((now() - at) / 1000));
      };
      return { accepted: ageOf('accepted'), sending: ageOf('sending'), unknown: ageOf('unknown') };
    },
  };
}

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
        .$if(state === 'undecided', (query) => query.where(isUndecided))
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
