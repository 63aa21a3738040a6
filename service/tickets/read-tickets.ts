import type { Db } from '../db/open.ts';
import { getCustomer } from './customers.ts';
import { ticketColumns, type Message, type Ticket, type TicketWithConversation } from './model.ts';

/** The workspace's newest tickets, newest first, without merged ones. */
export function listTickets(db: Db, workspaceId: string, limit: number): Ticket[] {
  // Numbers rise with creation and, unlike the clock, never step back.
  return db
    .prepare<[string, number], Ticket>(
      `SELECT ${ticketColumns} FROM tickets t
       WHERE t.workspace_id = ? AND t.merged_into IS NULL ORDER BY t.ticket_number DESC LIMIT ?`,
    )
    .all(workspaceId, limit);
}

/** A ticket with its customer and public messages, oldest first; null when the workspace has no such ticket. */
export function getTicket(db: Db, workspaceId: string, ticketId: string): TicketWithConversation | null {
  const ticket = db
    .prepare<[string, string], Ticket>(
      `SELECT ${ticketColumns} FROM tickets t WHERE t.id = ? AND t.workspace_id = ?`,
    )
    .get(ticketId, workspaceId);
  if (!ticket) return null;
  const messages = db
    .prepare<[string], Message>(
      `SELECT id, author_type, body, created_at FROM messages WHERE ticket_id = ? AND is_internal = 0 ORDER BY seq`,
    )
    .all(ticketId);
  return { ...ticket, customer: getCustomer(db, ticket.customer_id), messages };
}
