import type { Store } from '../store/open.ts';
import type { TicketFacts } from '../store/schema.ts';
import type { Seal } from '../store/seal.ts';
import type { V1Thread } from '../v1/schema.ts';
import { countAgentMessages, factsOf } from './present.ts';

/** Databases limit how many values a statement may have. */
const idsAtOnce = 500;
const closedAs = { merged: 1, gone: 2 } as const;

/** What the store keeps of tickets: the facts as last read, and whether they are closed. */
export function createTicketRecords({ store, seal, now }: { store: Store; seal: Seal; now: () => number }) {
  return {
    /** A ticket that the service has just opened; nothing changes where it is known already. */
    async add(ticketId: string, facts: TicketFacts, db: Store): Promise<void> {
      await db
        .insertInto('tickets')
        .values({
          id: ticketId,
          facts_sealed: seal.seal('tickets.facts', facts),
          agent_count: 0,
          closed: 0,
          read_at: now(),
        })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
    },

    /** Keeps what was just read. Returns whether the ticket is closed. */
    async save(ticketId: string, thread: V1Thread): Promise<boolean> {
      const row = await store
        .updateTable('tickets')
        .set(({ eb }) => ({
          facts_sealed: seal.seal('tickets.facts', factsOf(thread)),
          agent_count: countAgentMessages(thread),
          read_at: now(),
          // A merged ticket can still be read; one that can be read is there.
          closed: eb.case().when('closed', '=', closedAs.gone).then(0).else(eb.ref('closed')).end(),
        }))
        .where('id', '=', ticketId)
        .returning('closed')
        .executeTakeFirst();
      return row !== undefined && row.closed !== 0;
    },

    async isMerged(ticketId: string): Promise<boolean> {
      const row = await store
        .selectFrom('tickets')
        .select('closed')
        .where('id', '=', ticketId)
        .executeTakeFirst();
      return row?.closed === closedAs.merged;
    },

    /** Removes those of these tickets that nobody holds. */
    async removeUnheld(ticketIds: readonly string[], db: Store): Promise<void> {
      for (let at = 0; at < ticketIds.length; at += idsAtOnce)
        await db
          .deleteFrom('tickets')
          .where('id', 'in', ticketIds.slice(at, at + idsAtOnce))
          .where(({ exists, not, selectFrom }) =>
            not(
              exists(
                selectFrom('grants').select('ticket_id').whereRef('grants.ticket_id', '=', 'tickets.id'),
              ),
            ),
          )
          .execute();
    },

    async close(ticketId: string, reason: keyof typeof closedAs): Promise<void> {
      await store
        .updateTable('tickets')
        .set({ closed: closedAs[reason] })
        .where('id', '=', ticketId)
        .execute();
    },
  };
}

export type TicketRecords = ReturnType<typeof createTicketRecords>;
