import { sql } from 'kysely';
import type { Store } from '../../core/store/open.ts';
import { serverNow } from '../../core/store/postgres/server-clock.ts';

/** An instance that is silent for this long is not counted. */
const missingMs = 5_000;

// oxlint-disable-next-line typescript/consistent-type-definitions -- an interface has no index signature
type MemberTables = { instances: { id: string; seen_at: number } };

/** Counts the instances that run on this database, by the heartbeats in its table. `instance`: the name of this one. */
export function createMembers(store: Store, instance: string) {
  const db = store.withTables<MemberTables>();
  let count = 1;

  return {
    /** The count at this instance's last heartbeat. */
    count: (): number => count,

    /**
     * Writes a heartbeat of this instance, counts the running instances, and removes missing ones with their
     * interests. `isNew`: this instance was not in the table, since it has just started or was silent for too long.
     */
    async heartbeat(): Promise<{ isNew: boolean }> {
      const { isNew, others } = await db
        .with('said', (query) =>
          query
            .insertInto('instances')
            .values({ id: instance, seen_at: serverNow })
            .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: serverNow }))
            .returning(sql<boolean>`xmax = 0`.as('is_new')),
        )
        .with('gone', (query) =>
          query
            .deleteFrom('instances')
            .where('seen_at', '<', sql<number>`${serverNow} - ${missingMs}`)
            .where('id', '<>', instance),
        )
        .selectFrom('instances')
        .where('seen_at', '>=', sql<number>`${serverNow} - ${missingMs}`)
        .where('id', '<>', instance)
        .select(({ fn, selectFrom }) => [
          fn.countAll<number>().as('others'),
          selectFrom('said').select('is_new').as('isNew'),
        ])
        .executeTakeFirstOrThrow();
      count = others + 1;
      return { isNew: isNew === true };
    },

    async leave(): Promise<void> {
      await db.deleteFrom('instances').where('id', '=', instance).execute();
    },
  };
}

export type Members = ReturnType<typeof createMembers>;
