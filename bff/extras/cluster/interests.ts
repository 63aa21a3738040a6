import { sql } from 'kysely';
import type { Interest } from '../../core/live/readers.ts';
import type { Store } from '../../core/store/open.ts';
import { shardOf } from './leases.ts';
import { serverNow } from '../../core/store/postgres/server-clock.ts';

/** Changes within this time are written in one statement. */
const collectMs = 100;
const rowsAtOnce = 1_000;
/** The longest time of a statement. A row may become visible this much later than its timestamp. */
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
 * The tickets with viewers, by the instance that has the viewers. They tell the holder of a ticket's shard what to
 * read. A row lives as long as its instance is counted (`members.ts`), so one statement per interval renews all rows.
 */
export function createInterests(store: Store, instance: string, onError: (error: unknown) => void) {
  const db = store.withTables<InterestTables>();
  const mine = new Map<string, Interest>();
  /** Tickets whose interest is not in the table yet. */
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

  /** Writes the changes. A change that could not be written is written with the next ones. */
  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    // One write after the other: an older state must not overwrite a newer one.
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

    /** To be called when the table has lost the rows of this instance. All rows are then written again. */
    rewrite(): void {
      for (const ticketId of mine.keys()) mark(ticketId);
    },

    /**
     * The interests of other instances in these shards; with `sinceMs`, only those that may have changed in that many
     * milliseconds.
     */
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

    /** The tickets of this list that have viewers on another instance. */
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
