import type { Store } from '../store/open.ts';

/** A subject's right to one ticket. Made only by `createGrants`: whoever holds one has been checked. */
export interface Grant {
  readonly subjectId: string;
  readonly ticketId: string;
  /** Agents' messages that the subject has had on screen. */
  readonly readCount: number;
}

/** The only door to a ticket: a row here decides, never an answer of the ticket service. */
export function createGrants(store: Store) {
  const rows = () => store.selectFrom('grants').select(['subject_id', 'ticket_id', 'read_count']);
  const toGrant = (row: { subject_id: string; ticket_id: string; read_count: number }): Grant => ({
    subjectId: row.subject_id,
    ticketId: row.ticket_id,
    readCount: row.read_count,
  });

  return {
    /** Null for foreign, unknown and malformed ids alike. */
    async find(subjectId: string, ticketId: string): Promise<Grant | null> {
      const row = await rows()
        .where('subject_id', '=', subjectId)
        .where('ticket_id', '=', ticketId)
        .executeTakeFirst();
      return row ? toGrant(row) : null;
    },

    async all(subjectId: string): Promise<Grant[]> {
      return (await rows().where('subject_id', '=', subjectId).execute()).map(toGrant);
    },

    /** Moves the read mark forward, never back. */
    async markRead(grant: Grant, agentMessages: number): Promise<void> {
      await store
        .updateTable('grants')
        .set({ read_count: agentMessages })
        .where('subject_id', '=', grant.subjectId)
        .where('ticket_id', '=', grant.ticketId)
        .where('read_count', '<', agentMessages)
        .execute();
    },
  };
}

export type Grants = ReturnType<typeof createGrants>;
