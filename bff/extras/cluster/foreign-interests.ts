import type { Elsewhere, Interest } from '../../core/live/readers.ts';
import type { ForeignInterest, Interests } from './interests.ts';
import { shardOf } from './leases.ts';

/** How often all interests are read, to find removed ones. In between, only new interests are read. */
const loadAllEveryMs = 10_000;

const combined = (interests: Iterable<Interest>): Elsewhere => {
  const all = [...interests];
  return {
    isOnScreen: all.some(({ isOnScreen }) => isOnScreen),
    seen: new Set(all.map(({ seen }) => seen)),
  };
};

/**
 * The interests of other instances in tickets of this instance's shards. `onChange` gets the interest in each ticket.
 * It gets null when no other instance needs the ticket any more, or when its shard is no longer this instance's.
 */
export function createForeignInterests(
  interests: Pick<Interests, 'ofOthers'>,
  elapsed: () => number,
  onChange: (ticketId: string, elsewhere: Elsewhere | null) => void,
) {
  /** By ticket, and then by instance. */
  let known = new Map<string, Map<string, Interest>>();
  let shards: ReadonlySet<number> = new Set();
  let loadedAt = -Infinity;
  let allLoadedAt = -Infinity;

  function addInterests(target: typeof known, rows: readonly ForeignInterest[]): Set<string> {
    for (const { ticketId, instance, ...interest } of rows) {
      const ofTicket = target.get(ticketId) ?? new Map<string, Interest>();
      target.set(ticketId, ofTicket.set(instance, interest));
    }
    return new Set(rows.map(({ ticketId }) => ticketId));
  }

  function forget(ticketIds: readonly string[]): void {
    for (const ticketId of ticketIds) {
      known.delete(ticketId);
      onChange(ticketId, null);
    }
  }

  async function loadAll(ownShards: readonly number[]): Promise<void> {
    const all: typeof known = new Map();
    addInterests(all, await interests.ofOthers(ownShards));
    forget([...known.keys()].filter((ticketId) => !all.has(ticketId)));
    known = all;
    for (const [ticketId, ofTicket] of known) onChange(ticketId, combined(ofTicket.values()));
  }

  async function loadNew(ownShards: readonly number[], sinceMs: number): Promise<void> {
    const rows = [
      ...(await interests.ofOthers(ownShards.filter((shard) => !shards.has(shard)))),
      ...(await interests.ofOthers(
        ownShards.filter((shard) => shards.has(shard)),
        sinceMs,
      )),
    ];
    for (const ticketId of addInterests(known, rows))
      onChange(ticketId, combined(known.get(ticketId)!.values()));
  }

  return {
    /** Reads the interests in all shards of this instance. */
    async load(ownShards: readonly number[]): Promise<void> {
      const begunAt = elapsed();
      const own = new Set(ownShards);
      if ([...shards].some((shard) => !own.has(shard)))
        forget([...known.keys()].filter((ticketId) => !own.has(shardOf(ticketId))));
      shards = new Set([...shards].filter((shard) => own.has(shard)));
      if (begunAt - allLoadedAt >= loadAllEveryMs) {
        await loadAll(ownShards);
        allLoadedAt = begunAt;
      } else await loadNew(ownShards, begunAt - loadedAt);
      loadedAt = begunAt;
      shards = own;
    },
  };
}
