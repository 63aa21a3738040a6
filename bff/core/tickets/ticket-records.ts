import { isDeepStrictEqual } from 'node:util';
import type { Store } from '../store/open.ts';
import { prepareRead } from '../store/statements/reads-together.ts';
import { prepareWrite } from '../store/statements/writes-together.ts';
import type { TicketFacts } from '../store/schema.ts';
import { openOnce, type Seal } from '../store/seal.ts';
import type { V1Thread } from '../v1/schema.ts';
import { type AgentTextHook, splitAgents } from './agent-text.ts';
import { countAgentMessages, factsOf } from './present.ts';

/** Databases limit how many values a statement may have. */
const idsAtOnce = 500;
const closedAs = { merged: 1, gone: 2 } as const;
/** How many new tickets are remembered with their first facts. */
const maxOpened = 2_000;

/** The stored facts of tickets, as last read, and whether they are closed. */
export function createTicketRecords({
  store,
  seal,
  now,
  parts = [],
}: {
  store: Store;
  seal: Seal;
  now: () => number;
  parts?: readonly AgentTextHook[];
}) {
  const openFacts = openOnce(seal, 'tickets.facts', maxOpened);
  const known = prepareRead(({ ticketId }: { ticketId: string }) =>
    store.selectFrom('tickets').select(['facts_sealed', 'agent_count', 'closed']).where('id', '=', ticketId),
  );

  type NewTicket = { id: string; facts_sealed: string; agent_count: number; read_at: number };
  const insert = prepareWrite(store, (row: NewTicket) =>
    store
      .insertInto('tickets')
      .values({
        id: row.id,
        facts_sealed: row.facts_sealed,
        agent_count: row.agent_count,
        closed: 0,
        read_at: row.read_at,
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returningAll(),
  );

  return {
    /** Inserts new tickets with their numbers of agents' messages. Does nothing for those that are known already. */
    async add(
      tickets: readonly { id: string; facts: TicketFacts; agentCount?: number }[],
      db: Store,
    ): Promise<void> {
      const rows = tickets.map(({ id, facts, agentCount = 0 }) => ({
        id,
        facts_sealed: seal.seal('tickets.facts', facts),
        agent_count: agentCount,
        read_at: now(),
      }));
      await insert.all(db, rows);
    },

    /** Stores a read if it differs, since each write costs a commit. Returns whether the ticket is closed. */
    async save(ticketId: string, thread: V1Thread): Promise<boolean> {
      const [last] = await known(store, { ticketId });
      const facts = factsOf(thread, (body) => splitAgents(parts, body));
      const agentCount = countAgentMessages(thread);
      const isSame =
        last?.agent_count === agentCount &&
        last.closed !== closedAs.gone &&
        isDeepStrictEqual(openFacts(last.facts_sealed), facts);
      if (isSame) return last.closed !== 0;
      const row = await store
        .updateTable('tickets')
        .set(({ eb }) => ({
          facts_sealed: seal.seal('tickets.facts', facts),
          agent_count: agentCount,
          read_at: now(),
          // A merged ticket can still be read. A ticket that can be read is not gone.
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

    /** Removes the tickets of this list that have no holder. */
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
