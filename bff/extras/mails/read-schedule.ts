import { listedDigest } from '../../core/live/newest-tickets.ts';
import { listOf } from '../../core/store/dialect.ts';
import type { V1Ticket } from '../../core/v1/schema.ts';
import type { Core } from '../../core/wiring.ts';
import { firstReadMs } from './notices.ts';

const longestPauseMs = 3_600_000;
/** The fraction of the quiet time after which a ticket is read again. */
const partOfQuiet = 1 / 10;
/** A service that reads from a copy of its data may not know a ticket yet that is as new as this. */
const newMs = 3_600_000;
/** No pause is longer, unless the clock was set back since. */
const furthestMs = 86_400_000;

/**
 * The schedule of tickets that are read although no open page shows them, because their customers want a mail about
 * answers. Taking a ticket sets the time of its next read, so that several processes do not read the same one. Times
 * are Unix milliseconds.
 */
export function createReadSchedule({ store, seal, now }: Core) {
  const followed = () =>
    store.selectFrom('notices').where('kind', '=', 'answer').where('look_at', 'is not', null);
  const change = (ticketId: string) =>
    store.updateTable('notices').where('kind', '=', 'answer').where('ticket_id', '=', ticketId);

  async function end(ticketId: string): Promise<void> {
    await change(ticketId).set({ look_at: null }).execute();
  }

  return {
    end,

    /** Up to `limit` due tickets, with the time until their next read, in milliseconds. */
    async take(limit: number): Promise<{ ticketId: string; pauseMs: number }[]> {
      const at = now();
      const rows = await followed()
        .innerJoin('tickets', 'tickets.id', 'ticket_id')
        .select(['ticket_id', 'look_at', 'look_until', 'changed_at', 'closed'])
        .where(({ eb, or }) => or([eb('look_at', '<=', at), eb('look_at', '>', at + furthestMs)]))
        .orderBy('look_at')
        .limit(limit)
        .execute();
      const taken: { ticketId: string; pauseMs: number }[] = [];
      for (const { ticket_id: ticketId, ...row } of rows) {
        const isClosed = row.closed !== 0 && at - row.changed_at > newMs;
        if (row.look_until <= at || isClosed) {
          await end(ticketId);
          continue;
        }
        const pauseMs = Math.min(Math.max((at - row.changed_at) * partOfQuiet, firstReadMs), longestPauseMs);
        const { numUpdatedRows } = await change(ticketId)
          .set({ look_at: Math.round(at + pauseMs) })
          .where('look_at', '=', row.look_at)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 1n) taken.push({ ticketId, pauseMs });
      }
      return taken;
    },

    /** The read has failed: schedules another in `inMs`, unless one is due before. */
    async again(ticketId: string, inMs: number): Promise<void> {
      const at = now() + inMs;
      await change(ticketId).set({ look_at: at }).where('look_at', '>', at).execute();
    },

    /** When the next ticket is due. Infinity when there is none. */
    async nextAt(): Promise<number> {
      const row = await followed()
        .select(({ fn }) => fn.min('look_at').as('at'))
        .executeTakeFirst();
      return row?.at ?? Infinity;
    },

    /** The number of scheduled tickets. */
    async count(): Promise<number> {
      const row = await followed()
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return row.count;
    },

    /** Makes tickets due whose entry in the list of the newest tickets has changed. */
    async compare(entries: readonly V1Ticket[]): Promise<void> {
      const hashes = new Map(
        entries.map((entry) => [entry.id, seal.hash('listed ticket', listedDigest(entry))]),
      );
      const rows = await followed()
        .select(['ticket_id', 'listed_hash'])
        .where('ticket_id', 'in', listOf(store, JSON.stringify([...hashes.keys()])))
        .execute();
      const changed = rows.filter((row) => row.listed_hash !== hashes.get(row.ticket_id));
      for (const { ticket_id: ticketId, listed_hash: last } of changed)
        await change(ticketId)
          // The first entry has nothing to compare with.
          .set({ listed_hash: hashes.get(ticketId)!, ...(last !== null && { look_at: now() }) })
          .where('look_at', 'is not', null)
          .execute();
    },
  };
}

export type ReadSchedule = ReturnType<typeof createReadSchedule>;
