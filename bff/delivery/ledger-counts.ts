import type { Store } from '../store/open.ts';

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

    /** Age of the oldest send that is still being tried; 0 without one. */
    async oldestUndeliveredSec(): Promise<number> {
      const { at } = await store
        .selectFrom('operations')
        .select(({ fn }) => fn.min('created_at').as('at'))
        .where(({ eb, or }) => or([eb('state', '=', 'sending'), eb('due_at', 'is not', null)]))
        .executeTakeFirstOrThrow();
      return at === null ? 0 : Math.max(0, Math.round((now() - at) / 1000));
    },
  };
}
