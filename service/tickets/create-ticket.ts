import { randomUUID } from 'node:crypto';
import type { Db } from '../db/open.ts';
import { recordEvent } from '../webhooks/events.ts';
import { findOrCreateCustomer } from './customers.ts';
import { ticketColumns, type Priority, type Ticket } from './model.ts';

export interface NewTicket {
  subject: string;
  description: string;
  customer_email: string;
  customer_name: string | null;
  priority: Priority;
}

/** Creates a ticket, its customer when new, and its `ticket.created` event, in one transaction. */
export function createTicket(db: Db, workspaceId: string, input: NewTicket, now: Date): Ticket {
  const create = db.transaction(() => {
    const customerId = findOrCreateCustomer(db, workspaceId, input.customer_email, input.customer_name, now);
    const ticket = insertTicket(db, workspaceId, customerId, input, now);
    recordEvent(
      db,
      workspaceId,
      { type: 'ticket.created', data: { ticket_id: ticket.id, ticket_number: ticket.ticket_number, ticket } },
      now,
    );
    return ticket;
  });
  return create.immediate();
}

function insertTicket(db: Db, workspaceId: string, customerId: string, input: NewTicket, now: Date): Ticket {
  const numbered = db
    .prepare<[string], { last_ticket_number: number }>(
      'UPDATE workspaces SET last_ticket_number = last_ticket_number + 1 WHERE id = ? RETURNING last_ticket_number',
    )
    .get(workspaceId)!;
  const id = randomUUID();
  db.prepare(
    `INSERT INTO tickets (id, workspace_id, ticket_number, customer_id, subject, description, status, priority,
                          source, created_at, updated_at)
     VALUES (@id, @workspaceId, @number, @customerId, @subject, @description, 'new', @priority, 'api', @now, @now)`,
  ).run({
    id,
    workspaceId,
    number: numbered.last_ticket_number,
    customerId,
    subject: input.subject,
    description: input.description,
    priority: input.priority,
    now: now.toISOString(),
  });
  // Read back, so that the answer equals what is stored: a lone surrogate is stored as U+FFFD.
  return db.prepare<[string], Ticket>(`SELECT ${ticketColumns} FROM tickets t WHERE t.id = ?`).get(id)!;
}
