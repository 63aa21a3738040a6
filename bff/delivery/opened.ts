import type { Store } from '../store/open.ts';
import type { OperationRow, TicketFacts } from '../store/schema.ts';
import type { Grants } from '../tickets/grants.ts';
import type { TicketRecords } from '../tickets/ticket-records.ts';
import { addressReplies } from './operation-changes.ts';

/** What is mailed about tickets. */
export interface OpenedNotices {
  /** In the transaction `db`, with the text of `opening` still there. */
  addOpened(opening: OperationRow, db: Store): Promise<void>;
}

/**
 * Records in the transaction `db` that the service has the ticket that `opening` sent, under its `ticket_id`: what is
 * known of it, its opener's right to it, what is mailed about it, and the replies that waited until it exists.
 */
export async function recordOpened(
  {
    grants,
    ticketRecords,
    notices,
  }: {
    grants: Pick<Grants, 'addOpened'>;
    ticketRecords: Pick<TicketRecords, 'add'>;
    notices?: OpenedNotices;
  },
  opening: OperationRow,
  facts: TicketFacts,
  db: Store,
): Promise<void> {
  const ticketId = opening.ticket_id!;
  await ticketRecords.add(ticketId, facts, db);
  await notices?.addOpened(opening, db);
  // The customer may have signed in meanwhile: the current row has the current sender.
  const { subject_id: holderId, address_hash: addressHash } = opening;
  await grants.addOpened({ subjectId: holderId, ticketId, addressHash }, db);
  const senders = await addressReplies(opening.id, ticketId, db);
  // Another browser of the opener may have replied before one of them signed in: it keeps its right to the ticket.
  senders.delete(holderId);
  for (const subjectId of senders) await grants.addOpened({ subjectId, ticketId, addressHash: null }, db);
}
