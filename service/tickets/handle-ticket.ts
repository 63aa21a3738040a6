import { randomUUID } from 'node:crypto';
import type { Db } from '../db/open.ts';
import { addNote } from './add-message.ts';
import type { Customer, Message, Status, Ticket } from './model.ts';
import { ticketColumns } from './model.ts';

/** An entry of the conversation as agents see it, notes among it. */
export interface DeskMessage extends Message {
  is_internal: boolean;
  agent_email: string | null;
}

/** SQLite has no booleans. */
type StoredMessage = Omit<DeskMessage, 'is_internal'> & { is_internal: number };

function toMessage(stored: StoredMessage): DeskMessage {
  return { ...stored, is_internal: stored.is_internal === 1 };
}

export interface TicketReference {
  id: string;
  ticket_number: number;
  subject: string;
}

/** A ticket as agents see it. */
export interface DeskTicket extends Ticket {
  customer: Customer;
  messages: DeskMessage[];
  merged_into: TicketReference | null;
  /** Tickets that were merged into this one. */
  merged_from: TicketReference[];
}

/** A ticket with notes and merges; null when the workspace has no such ticket. */
export function getDeskTicket(db: Db, workspaceId: string, ticketId: string): DeskTicket | null {
  const ticket = db
    .prepare<[string, string], Ticket & { merged_into: string | null }>(
      `SELECT ${ticketColumns}, t.merged_into FROM tickets t WHERE t.id = ? AND t.workspace_id = ?`,
    )
    .get(ticketId, workspaceId);
  if (!ticket) return null;
  const customer = db
    .prepare<[string], Customer>('SELECT name, email, company FROM customers WHERE id = ?')
    .get(ticket.customer_id)!;
  const messages = db
    .prepare<[string], StoredMessage>(
      `SELECT m.id, m.author_type, m.body, m.created_at, m.is_internal, a.email AS agent_email
       FROM messages m LEFT JOIN agents a ON a.id = m.agent_id WHERE m.ticket_id = ? ORDER BY m.seq`,
    )
    .all(ticketId)
    .map(toMessage);
  const references = (column: 'id' | 'merged_into', id: string | null) =>
    db
      .prepare<[string | null], TicketReference>(
        `SELECT id, ticket_number, subject FROM tickets WHERE ${column} = ? ORDER BY ticket_number`,
      )
      .all(id);
  return {
    ...ticket,
    customer,
    messages,
    merged_into: references('id', ticket.merged_into)[0] ?? null,
    merged_from: references('merged_into', ticketId),
  };
}

/** Marks what the customer wrote as seen by the desk. */
export function markRead(db: Db, ticketId: string): void {
  db.prepare('UPDATE tickets SET is_unread = 0 WHERE id = ? AND is_unread = 1').run(ticketId);
}

/** Sets the status; false when there is no such unmerged ticket. Setting the same again changes nothing. */
export function setStatus(db: Db, workspaceId: string, ticketId: string, status: Status, now: Date): boolean {
  const { changes } = db
    .prepare(
      `UPDATE tickets SET updated_at = CASE status WHEN @status THEN updated_at ELSE @now END, status = @status
       WHERE id = @ticketId AND workspace_id = @workspaceId AND merged_into IS NULL`,
    )
    .run({ status, now: now.toISOString(), ticketId, workspaceId });
  return changes > 0;
}

export type MergeFault = 'no_such_ticket' | 'same_ticket' | 'already_merged' | 'target_merged';

/**
 * Merges a ticket into the one with `targetNumber`, for good: it is closed, leaves the list and takes no more messages.
 * Its conversation stays with it, since its customer may be another one; a note in the target leads there.
 * Answers null when done.
 */
export function mergeTicket(
  db: Db,
  workspaceId: string,
  ticketId: string,
  targetNumber: number,
  by: { agentId: string; now: Date },
): MergeFault | null {
  const find = (column: 'id' | 'ticket_number', value: string | number) =>
    db
      .prepare<[string, string | number], TicketReference & { merged_into: string | null }>(
        `SELECT id, ticket_number, subject, merged_into FROM tickets WHERE workspace_id = ? AND ${column} = ?`,
      )
      .get(workspaceId, value);
  const merge = db.transaction(() => {
    const ticket = find('id', ticketId);
    const target = find('ticket_number', targetNumber);
    if (!ticket || !target) return 'no_such_ticket';
    if (ticket.id === target.id) return 'same_ticket';
    if (ticket.merged_into !== null) return 'already_merged';
    if (target.merged_into !== null) return 'target_merged';
    db.prepare(
      `UPDATE tickets SET merged_into = ?, status = 'closed', is_unread = 0, updated_at = ? WHERE id = ?`,
    ).run(target.id, by.now.toISOString(), ticket.id);
    const note = `Ticket #${ticket.ticket_number} was merged into this one.`;
    addNote(db, workspaceId, target.id, { id: randomUUID(), body: note, agentId: by.agentId }, by.now);
    return null;
  });
  return merge.immediate();
}
