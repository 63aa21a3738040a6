import type { Store } from '../../store/open.ts';
import type { OperationRow, TicketFacts } from '../../store/schema.ts';
import { runTogether } from '../../store/statements/run-together.ts';
import type { Grants } from '../../tickets/grants.ts';
import type { OperationChanges } from '../../tickets/operation-changes.ts';
import type { TicketRecords } from '../../tickets/ticket-records.ts';
import { createAddressingReplies } from './operation-changes.ts';

/** The notices of mails about tickets. */
export interface OpenedNotices {
  /** Must run in the transaction `db`, before the text of `opening` is erased. */
  addOpened(opening: OperationRow, db: Store): Promise<void>;
}

/**
 * Records in the transaction `db` that the service has the ticket that `opening` sent, under its `ticket_id`: its
 * facts, its opener's grant, the mails about it, and the replies that waited for it. The caller must have locked the
 * row of `opening`. Then a reply that is accepted later finds the ticket through it.
 */
export function createRecordOpened({
  store,
  grants,
  operationChanges,
  ticketRecords,
  notices,
}: {
  store: Store;
  grants: Pick<Grants, 'addingOpened'>;
  operationChanges: Pick<OperationChanges, 'markOwned'>;
  ticketRecords: Pick<TicketRecords, 'adding'>;
  notices?: OpenedNotices;
}) {
  const addressingReplies = createAddressingReplies(store);

  return async function recordOpened(opening: OperationRow, facts: TicketFacts, db: Store): Promise<void> {
    const ticketId = opening.ticket_id!;
    // The customer may have signed in meanwhile: the current row has the current sender.
    const { subject_id: holderId, address_hash: addressHash } = opening;
    const [, [grant], replies] = await runTogether(db, [
      ticketRecords.adding(ticketId, facts),
      grants.addingOpened({ subjectId: holderId, ticketId, addressHash }),
      addressingReplies.of({ openingId: opening.id, ticketId }),
    ]);
    if (grant?.trusted === 1 && opening.owned === 0) await operationChanges.markOwned(holderId, db);
    await notices?.addOpened(opening, db);
    const senders = new Set(replies.map((row) => row.subject_id));
    // Another browser of the opener may have replied before one of them signed in. It keeps its grant for the ticket.
    senders.delete(holderId);
    for (const subjectId of senders)
      await db.executeQuery(grants.addingOpened({ subjectId, ticketId, addressHash: null }));
  };
}
