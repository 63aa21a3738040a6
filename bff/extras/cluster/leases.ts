import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { shardCount } from '../../core/live/readers.ts';
import type { Store } from '../../core/store/open.ts';
import { serverNow } from '../../core/store/postgres/server-clock.ts';

/** How long a lease is valid without renewal, by the server's clock. */
export const leaseMs = 5_000;
/** How much shorter the holder trusts its lease, since clocks may run differently and a read takes time. */
const marginMs = 1_000;

/** The shard of a ticket: 0 to 255, evenly spread. */
export const shardOf = (ticketId: string): number => createHash('sha1').update(ticketId).digest()[0]!;

// oxlint-disable-next-line typescript/consistent-type-definitions -- an interface has no index signature
type LeaseTables = { watch_shards: { shard: number; holder: string | null; fence: number; until: number } };

interface Term {
  shard: number;
  /** Raised with each new holder. */
  fence: number;
}

/** The server returns the rows of an update in any order. */
const inOrder = (terms: readonly Term[]) => terms.toSorted((a, b) => a.shard - b.shard);

/**
 * Leases of shards, on PostgreSQL. Every ticket belongs to one shard. A term is a holder and a fence. The server's
 * clock decides whether a lease is valid. The holder counts from the start of its attempt to renew, by its own
 * monotonic clock, so it stops before another may begin. `elapsed`: milliseconds of that clock.
 */
export function createLeases(store: Store, instance: string, elapsed: () => number) {
  const db = store.withTables<LeaseTables>();
  const until = sql<number>`${serverNow} + ${leaseMs}`;
  /** The fence of each of this instance's terms, by shard. */
  let terms: ReadonlyMap<number, number> = new Map();
  let trustedUntil = -Infinity;
  /** Shards with a valid lease of any instance, at the last read and at the one before. */
  let seen: ReadonlySet<number> = new Set();
  let seenBefore: ReadonlySet<number> = new Set();
  let knownUntil = -Infinity;
  let free = shardCount;

  const extend = () =>
    db
      .updateTable('watch_shards')
      .set({ until })
      .where('holder', '=', instance)
      .where('until', '>', serverNow)
      .returning(['shard', 'fence'])
      .execute();

  const takeFree = (limit: number) =>
    db
      .with(
        (cte) => cte('free').materialized(),
        (query) =>
          query
            .selectFrom('watch_shards')
            .select('shard')
            .where('until', '<=', serverNow)
            .orderBy('shard')
            .limit(limit)
            .forUpdate()
            .skipLocked(),
      )
      .updateTable('watch_shards')
      .from('free')
      .whereRef('watch_shards.shard', '=', 'free.shard')
      .set(({ eb }) => ({ holder: instance, fence: eb('fence', '+', 1), until }))
      .returning(['watch_shards.shard', 'fence'])
      .execute();

  const giveUp = (shards: readonly number[]) =>
    db
      .updateTable('watch_shards')
      .set({ holder: null, until: 0 })
      .where('holder', '=', instance)
      .where('shard', 'in', shards)
      .execute();

  function setTerms(next: readonly Term[]): void {
    terms = new Map(inOrder(next).map(({ shard, fence }) => [shard, fence]));
  }

  async function readLeases(): Promise<void> {
    const begunAt = elapsed();
    const rows = await db.selectFrom('watch_shards').select('shard').where('until', '>', serverNow).execute();
    seenBefore = begunAt < knownUntil ? seen : new Set();
    seen = new Set(rows.map(({ shard }) => shard));
    free = shardCount - new Set([...seen, ...seenBefore]).size;
    knownUntil = begunAt + leaseMs;
  }

  /** Includes shards that were just given up, since another instance is about to take them. */
  const wasLeased = (shard: number) => seen.has(shard) || seenBefore.has(shard);

  return {
    /** Creates the rows of the shards, if missing. */
    async prepare(): Promise<void> {
      await db
        .insertInto('watch_shards')
        .columns(['shard'])
        .expression(
          sql`select shard from generate_series(0, cast(${shardCount - 1} as integer)) as all_shards (shard)`,
        )
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /**
     * Renews all leases of this instance, gives up those above its share, takes free ones up to its share, and reads
     * which shards are leased. Returns whether it gave up any.
     */
    async renew(share: number): Promise<{ hasGivenUp: boolean }> {
      const begunAt = elapsed();
      const renewed = inOrder(await extend());
      const surplus = renewed.splice(share).map(({ shard }) => shard);
      // Must come before other instances may take them.
      setTerms(renewed);
      trustedUntil = begunAt + leaseMs - marginMs;
      if (surplus.length > 0) await giveUp(surplus);
      if (renewed.length < share) setTerms([...renewed, ...(await takeFree(share - renewed.length))]);
      await readLeases();
      return { hasGivenUp: surplus.length > 0 };
    },

    /** The fence of this instance's term, while the lease is trusted. */
    termOf: (shard: number): number | undefined => (elapsed() < trustedUntil ? terms.get(shard) : undefined),

    /** The shards with a trusted lease of this instance. */
    ownShards: (): readonly number[] => (elapsed() < trustedUntil ? [...terms.keys()] : []),

    ownShardCount: (): number => (elapsed() < trustedUntil ? terms.size : 0),

    /** Whether the shard is known to be leased by any instance. False while the server is away. */
    isLeased: (shard: number): boolean => elapsed() < knownUntil && wasLeased(shard),

    /** How many shards are not known to be leased. */
    freeCount: (): number => (elapsed() < knownUntil ? free : shardCount),

    /** Ends all terms of this instance at once. */
    async release(): Promise<void> {
      const shards = [...terms.keys()];
      setTerms([]);
      if (shards.length > 0) await giveUp(shards);
    },
  };
}

export type Leases = ReturnType<typeof createLeases>;
