import { randomUUID } from 'node:crypto';
import type { Db } from '../db/open.ts';
import { addNote } from './add-message.ts';
import type { TicketReference } from './handle-ticket.ts';

export type MergeFault = 'no_such_ticket' | 'same_ticket' | 'already_merged' | 'target_merged';

/** The ticket that `ticketId` would be merged into, or why it cannot be. */
export function findMergeTarget(
  db: Db,
  workspaceId: string,
  ticketId: string,
  targetNumber: number,
): TicketReference | MergeFault {
  const find = (column: 'id' | 'ticket_number', value: string | number) =>
    db
      .prepare<[string, string | number], TicketReference & { merged_into: string | null }>(
        `SELECT id, ticket_number, subject, merged_into FROM tickets WHERE workspace_id = ? AND ${column} = ?`,
      )
      .get(workspaceId, value);
  const ticket = find('id', ticketId);
  const target = find('ticket_number', targetNumber);
  if (!ticket || !target) return 'no_such_ticket';
  if (ticket.id === target.id) return 'same_ticket';
  if (ticket.merged_into !== null) return 'already_merged';
  return target.merged_into === null ? target : 'target_merged';
}

/**
 * Merges a ticket into the one with `targetNumber`, for good: it is closed, leaves the list and takes no more messages.
 * Its conversation stays with it, since its customer may be another one; a note in the target links to it. Returns null
 * when done.
 */
export function mergeTicket(
  db: Db,
  workspaceId: string,
  ticketId: string,
  targetNumber: number,
  by: { agentId: string; now: Date },
): MergeFault | null {
  const merge = db.transaction(() => {
    const target = findMergeTarget(db, workspaceId, ticketId, targetNumber);
    if (typeof target === 'string') return target;
    const merged = db
      .prepare<[string, string, string], { ticket_number: number }>(
        `UPDATE tickets SET merged_into = ?, status = 'closed', needs_answer = 0, updated_at = ? WHERE id = ?
         RETURNING ticket_number`,
      )
      .get(target.id, by.now.toISOString(), ticketId)!;
    const note = `Ticket #${merged.ticket_number} was merged into this one.`;
    addNote(db, workspaceId, target.id, { id: randomUUID(), body: note, agentId: by.agentId }, by.now);
    return null;
  });
  return merge.immediate();
}
