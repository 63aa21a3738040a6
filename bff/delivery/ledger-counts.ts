import type { OperationState } from '../contract/tickets.ts';
import type { Store } from '../store/open.ts';

type Undelivered = Exclude<OperationState, 'done' | 'rejected'>;

/** Counts of the ledger's rows, for operators. */
export function createLedgerCounts({ store, now }: { store: Store; now: () => number }) {
  return {
    byKindAndState: () =>
      store
        .selectFrom('operations')
        .select(({ fn }) => ['kind', 'state', fn.countAll<number>().as('count')])
        .groupBy(['kind', 'state'])
        .execute(),

    async undecided(): Promise<number> {
      const { count } = await store
        .selectFrom('operations')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('state', 'in', ['accepted', 'unknown'])
        .where('due_at', 'is', null)
        .executeTakeFirstOrThrow();
      return count;
    },

    async ambiguous(): Promise<number> {
      const { count } = await store
        .selectFrom('operations')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('state', '=', 'done')
        .where('ambiguous', '=', 1)
        .executeTakeFirstOrThrow();
      return count;
    },

    /** Age of the oldest send that is still being tried, by state; 0 without one. */
    async oldestUndeliveredSec(): Promise<Record<Undelivered, number>> {
      const rows = await store
        .selectFrom('operations')
        .select(({ fn }) => ['state', fn.min('created_at').as('at')])
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
