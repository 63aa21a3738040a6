import { sql } from 'kysely';
import type { Interest } from '../live/readers.ts';
import type { Store } from '../store/open.ts';
import { shardOf } from './leases.ts';
import { serverNow } from './server-clock.ts';

/** What changes within this time is written in one statement. */
const collectMs = 100;
const rowsAtOnce = 1_000;
/** A statement takes no longer than that: a row may be seen so much later than it says. */
const commitMs = 10_000;

// oxlint-disable-next-line typescript/consistent-type-definitions -- an interface has no index signature
type InterestTables = {
  interests: {
    ticket_id: string;
    instance: string;
    shard: number;
    on_screen: boolean;
    seen: string;
    changed_at: number;
  };
};

export interface ForeignInterest extends Interest {
  ticketId: string;
  instance: string;
}

/**
 * The tickets that somebody looks at, by the instance that has these viewers: they tell the holder of a ticket's shard
 * what to read. A row lives as long as its instance is counted (`members.ts`), so that one statement per interval renews
 * all of them.
 */
export function createInterests({
  store,
  instance,
  onError,
}: {
  store: Store;
  instance: string;
  onError: (error: unknown) => void;
}) {
  const db = store.withTables<InterestTables>();
  const mine = new Map<string, Interest>();
  /** What the table does not have yet. */
  const dirty = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let isStopped = false;

  const upsert = (ticketIds: readonly string[]) =>
    db
      .insertInto('interests')
      .values(
        ticketIds.map((ticketId) => {
          const { isOnScreen, seen } = mine.get(ticketId)!;
          return {
            ticket_id: ticketId,
            instance,
            shard: shardOf(ticketId),
            on_screen: isOnScreen,
            seen,
            changed_at: serverNow,
          };
        }),
      )
      .onConflict((conflict) =>
        conflict.columns(['ticket_id', 'instance']).doUpdateSet(({ ref }) => ({
          on_screen: ref('excluded.on_screen'),
          seen: ref('excluded.seen'),
          changed_at: ref('excluded.changed_at'),
        })),
      )
      .execute();

  const remove = (ticketIds: readonly string[]) =>
    db.deleteFrom('interests').where('instance', '=', instance).where('ticket_id', 'in', ticketIds).execute();

  async function write(): Promise<void> {
    while (dirty.size > 0) {
      const batch = [...dirty].slice(0, rowsAtOnce);
      for (const ticketId of batch) dirty.delete(ticketId);
      const kept = batch.filter((ticketId) => mine.has(ticketId));
      const gone = batch.filter((ticketId) => !mine.has(ticketId));
      try {
        if (kept.length > 0) await upsert(kept);
        if (gone.length > 0) await remove(gone);
      } catch (error) {
        for (const ticketId of batch) dirty.add(ticketId);
        throw error;
      }
    }
  }

  function mark(ticketId: string): void {
    dirty.add(ticketId);
    if (!isStopped) timer ??= setTimeout(() => void flush().catch(onError), collectMs).unref();
  }

  /** Writes what has changed. What could not be written is with the next. */
  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    // One after the other: the older must not overwrite the newer.
    writing = (writing ?? Promise.resolve()).catch(() => {}).then(write);
    await writing;
  }

  return {
    want(ticketId: string, interest: Interest): void {
      const last = mine.get(ticketId);
      if (last?.isOnScreen === interest.isOnScreen && last.seen === interest.seen) return;
      mine.set(ticketId, interest);
      mark(ticketId);
    },

    drop(ticketId: string): void {
      if (mine.delete(ticketId)) mark(ticketId);
    },

    flush,

    /** The table has lost the rows of this instance: all are to be written again. */
    rewrite(): void {
      for (const ticketId of mine.keys()) mark(ticketId);
    },

    /** What other instances need of these shards; with `sinceMs` only what may have changed in so many milliseconds. */
    async ofOthers(shards: readonly number[], sinceMs?: number): Promise<ForeignInterest[]> {
      if (shards.length === 0) return [];
      const rows = await db
        .selectFrom('interests')
        .select(['ticket_id', 'instance', 'on_screen', 'seen'])
        .where('shard', 'in', shards)
        .where('instance', '<>', instance)
        .$if(sinceMs !== undefined, (query) =>
          query.where('changed_at', '>', sql<number>`${serverNow} - ${Math.ceil(sinceMs! + commitMs)}`),
        )
        .execute();
      return rows.map((row) => ({
        ticketId: row.ticket_id,
        instance: row.instance,
        isOnScreen: row.on_screen,
        seen: row.seen,
      }));
    },

    /** Those of these tickets that another instance has viewers of. */
    async among(ticketIds: readonly string[]): Promise<string[]> {
      const rows = await db
        .selectFrom('interests')
        .select('ticket_id')
        .distinct()
        .where('ticket_id', 'in', ticketIds)
        .where('instance', '<>', instance)
        .execute();
      return rows.map((row) => row.ticket_id);
    },

    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(timer);
      await writing?.catch(() => {});
    },
  };
}

export type Interests = ReturnType<typeof createInterests>;
