import { sql } from 'kysely';
import type { Store } from '../store/open.ts';

/** How often an instance says that it runs. */
const everyMs = 5_000;
/** One that has said nothing for this long is not counted. */
const missingMs = 15_000;

// oxlint-disable-next-line typescript/consistent-type-definitions -- an interface has no index signature
type MemberTables = { instances: { id: string; seen_at: number } };

/** The server's clock, so that those of the instances do not matter. */
const now = sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;

/** How many instances run on this database, as the table of those that say so has it. `instance`: the name of this one. */
export function createMembers({
  store,
  instance,
  onError,
}: {
  store: Store;
  instance: string;
  onError: (error: unknown) => void;
}) {
  const db = store.withTables<MemberTables>();
  let count = 1;
  let timer: NodeJS.Timeout | undefined;

  async function sayAndCount(): Promise<void> {
    await db
      .insertInto('instances')
      .values({ id: instance, seen_at: now })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: now }))
      .execute();
    await db
      .deleteFrom('instances')
      .where('seen_at', '<', sql<number>`${now} - ${missingMs}`)
      .execute();
    const rows = await db.selectFrom('instances').select('id').execute();
    count = Math.max(1, rows.length);
  }

  return {
    instance,

    /** As of the last seconds. While the database is away: what it was before. */
    count: (): number => count,

    async start(): Promise<void> {
      await sayAndCount();
      timer = setInterval(() => void sayAndCount().catch(onError), everyMs).unref();
    },

    async stop(): Promise<void> {
      clearInterval(timer);
      await db.deleteFrom('instances').where('id', '=', instance).execute().catch(onError);
    },
  };
}

export type Members = ReturnType<typeof createMembers>;
