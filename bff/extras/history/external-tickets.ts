import { countAgentMessages, factsOf } from '../../core/tickets/present.ts';
import { listOf } from '../../core/store/dialect.ts';
import type { Store } from '../../core/store/open.ts';
import { prepareRead } from '../../core/store/statements/reads-together.ts';
import { inTransaction, lockTickets } from '../../core/store/statements/transaction.ts';
import type { V1Thread } from '../../core/v1/schema.ts';
import type { Core } from '../../core/wiring.ts';

/** After this time, a ticket that nobody holds is read again when the list shows it. */
const keptMs = 90 * 86_400_000;

/** A ticket of a customer who does not hold it yet. */
export interface TicketToGrant {
  ticketId: string;
  subjectId: string;
}

/**
 * External tickets, which were opened elsewhere. The store has the customer's address of each ticket as a keyed hash.
 */
export function createExternalTickets({
  store,
  grants,
  ticketRecords,
  now,
}: Pick<Core, 'store' | 'grants' | 'ticketRecords' | 'now'>) {
  const byId = prepareRead(({ id }: { id: string }) =>
    store.selectFrom('listed_tickets').select('address_hash').where('id', '=', id),
  );

  return {
    /** The tickets of this list that were not opened here and are not recorded yet. */
    async notRecorded(ids: readonly string[]): Promise<string[]> {
      const known = await store
        .selectFrom('listed_tickets')
        .select('id')
        .where('id', 'in', listOf(store, JSON.stringify(ids)))
        .union(
          store
            .selectFrom('operations')
            .select((eb) => eb.ref('ticket_id').$castTo<string>().as('id'))
            .where('kind', '=', 'ticket')
            .where('ticket_id', 'in', listOf(store, JSON.stringify(ids))),
        )
        .execute();
      const here = new Set(known.map(({ id }) => id));
      return ids.filter((id) => !here.has(id));
    },

    /** The recorded customer's address, as a keyed hash. Null for a ticket without one, and for one not recorded. */
    async customerOf(id: string): Promise<string | null> {
      const [row] = await byId(store, { id });
      return row?.address_hash ?? null;
    },

    /**
     * `addressHash`: of the ticket's customer. Null when the customer has no address. A recorded ticket does not
     * change.
     */
    async record(id: string, addressHash: string | null): Promise<void> {
      await store
        .insertInto('listed_tickets')
        .values({ id, address_hash: addressHash, found_at: now() })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute();
    },

    /**
     * Records the ticket's new customer, and takes the ticket from everyone else. Returns the subjects that lost it.
     */
    setCustomer: (id: string, addressHash: string): Promise<string[]> =>
      inTransaction(store, async (trx) => {
        await trx
          .updateTable('listed_tickets')
          .set({ address_hash: addressHash })
          .where('id', '=', id)
          .execute();
        return grants.removeExternal(id, addressHash, trx);
      }),

    /** Removes a ticket that the service no longer has. */
    async remove(id: string): Promise<void> {
      await store.deleteFrom('listed_tickets').where('id', '=', id).execute();
    },

    /**
     * The tickets under the proven address of each of these subjects that the subject does not hold yet; `limit` at
     * most.
     */
    toGrant(subjectIds: readonly string[], limit: number): Promise<TicketToGrant[]> {
      return store
        .selectFrom('subjects')
        .innerJoin('listed_tickets', 'listed_tickets.address_hash', 'subjects.address_hash')
        .select(['listed_tickets.id as ticketId', 'subjects.id as subjectId'])
        .where('subjects.id', 'in', listOf(store, JSON.stringify(subjectIds)))
        .where('subjects.verified', '=', 1)
        .where(({ exists, not, selectFrom }) =>
          not(
            exists(
              selectFrom('grants')
                .select('ticket_id')
                .whereRef('grants.ticket_id', '=', 'listed_tickets.id')
                .whereRef('grants.subject_id', '=', 'subjects.id'),
            ),
          ),
        )
        .orderBy('found_at', 'desc')
        .limit(limit)
        .execute();
    },

    /**
     * Grants the ticket to the subject if it has proven the ticket's address. Existing messages count as read.
     * Returns false when it has not.
     */
    grant: (
      { ticketId, subjectId }: TicketToGrant,
      addressHash: string,
      thread: V1Thread,
    ): Promise<boolean> =>
      inTransaction(store, async (trx) => {
        const readCount = countAgentMessages(thread);
        await ticketRecords.add([{ id: ticketId, facts: factsOf(thread), agentCount: readCount }], trx);
        await lockTickets([ticketId], trx);
        const isTheirs = await grants.addExternal({ subjectId, ticketId, addressHash, readCount }, trx);
        if (!isTheirs) await ticketRecords.removeUnheld([ticketId], trx);
        return isTheirs;
      }),

    /**
     * Removes the data of up to `limit` tickets that were held and that nobody holds any more, and old rows of
     * tickets that nobody held. Returns the length of the longer list.
     */
    async prune(limit: number): Promise<number> {
      const unheld = (db: Store) =>
        db
          .selectFrom('listed_tickets')
          .select('listed_tickets.id')
          .where(({ exists, not, selectFrom }) =>
            not(
              exists(
                selectFrom('grants')
                  .select('ticket_id')
                  .whereRef('grants.ticket_id', '=', 'listed_tickets.id'),
              ),
            ),
          )
          .limit(limit);
      const left = await unheld(store).innerJoin('tickets', 'tickets.id', 'listed_tickets.id').execute();
      await ticketRecords.removeUnheld(
        left.map(({ id }) => id),
        store,
      );
      const { numDeletedRows } = await store
        .deleteFrom('listed_tickets')
        .where('id', 'in', unheld(store).where('found_at', '<', now() - keptMs))
        .executeTakeFirst();
      return Math.max(left.length, Number(numDeletedRows));
    },
  };
}

export type ExternalTickets = ReturnType<typeof createExternalTickets>;
