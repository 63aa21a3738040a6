import type { Db } from '../db/open.ts';
import { getCustomer } from './customers.ts';
import type { Customer, Message, Status, Ticket } from './model.ts';
import { ticketColumns } from './model.ts';

/** An entry of the conversation as agents see it, which may be a note. */
export interface DeskMessage extends Message {
  is_internal: boolean;
  agent_email: string | null;
}

/** SQLite has no booleans. */
type StoredMessage = Omit<DeskMessage, 'is_internal'> & { is_internal: number };
type StoredTicket = Ticket & {
  merged_into: string | null;
  needs_answer: number;
  assignee_id: string | null;
  assignee_email: string | null;
};

function toMessage(stored: StoredMessage): DeskMessage {
  return { ...stored, is_internal: stored.is_internal === 1 };
}

export interface TicketReference {
  id: string;
  ticket_number: number;
  subject: string;
}

export interface Assignee {
  id: string;
  email: string;
}

/** A ticket as agents see it. */
export interface DeskTicket extends Ticket {
  /** The last public message is the customer's, and nobody has solved or closed the ticket since. */
  needs_answer: boolean;
  /** The agent who takes care of it. */
  assignee: Assignee | null;
  customer: Customer;
  messages: DeskMessage[];
  merged_into: TicketReference | null;
  /** Tickets that were merged into this one. */
  merged_from: TicketReference[];
}

/** A ticket with notes and merges; null when the workspace has no such ticket. */
export function getDeskTicket(db: Db, workspaceId: string, ticketId: string): DeskTicket | null {
  const found = db
    .prepare<[string, string], StoredTicket>(
      `SELECT ${ticketColumns}, t.merged_into, t.needs_answer, t.assignee_id, a.email AS assignee_email
       FROM tickets t LEFT JOIN agents a ON a.id = t.assignee_id WHERE t.id = ? AND t.workspace_id = ?`,
    )
    .get(ticketId, workspaceId);
  if (!found) return null;
  const { assignee_id, assignee_email, ...ticket } = found;
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
    needs_answer: ticket.needs_answer === 1,
    assignee: assignee_id === null ? null : { id: assignee_id, email: assignee_email! },
    customer: getCustomer(db, ticket.customer_id),
    messages,
    merged_into: references('id', ticket.merged_into)[0] ?? null,
    merged_from: references('merged_into', ticketId),
  };
}

/**
 * Sets the status; false when there is no such unmerged ticket. A solved or closed ticket needs no answer until its
 * customer writes again; one that is reopened needs an answer if its customer wrote last. Setting the same status again
 * leaves `updated_at`.
 */
export function setStatus(db: Db, workspaceId: string, ticketId: string, status: Status, now: Date): boolean {
  const { changes } = db
    .prepare(
      `UPDATE tickets SET updated_at = CASE status WHEN @status THEN updated_at ELSE @now END, status = @status,
         needs_answer = @status NOT IN ('solved', 'closed') AND coalesce(
           (SELECT m.author_type = 'customer' FROM messages m
            WHERE m.ticket_id = tickets.id AND m.is_internal = 0 ORDER BY m.seq DESC LIMIT 1), 1)
       WHERE id = @ticketId AND workspace_id = @workspaceId AND merged_into IS NULL`,
    )
    .run({ status, now: now.toISOString(), ticketId, workspaceId });
  return changes > 0;
}

/**
 * Assigns a ticket to an agent of its workspace, or to nobody. False when there is no such unmerged ticket, or when its
 * assignee is not `before` any more. It leaves `updated_at`, since clients of v1 see no change.
 */
export function assignTicket(
  db: Db,
  workspaceId: string,
  ticketId: string,
  change: { before: string | null; after: string | null },
): boolean {
  const { changes } = db
    .prepare(
      `UPDATE tickets SET assignee_id = @after WHERE id = @ticketId AND workspace_id = @workspaceId
         AND merged_into IS NULL AND (assignee_id IS @before OR assignee_id IS @after)`,
    )
    .run({ ...change, ticketId, workspaceId });
  return changes > 0;
}
