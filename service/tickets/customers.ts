import { randomUUID } from 'node:crypto';
import type { Db } from '../db/open.ts';
import type { Customer, Status } from './model.ts';

export interface CustomerRecord extends Customer {
  id: string;
  ticket_count: number;
}

/**
 * Id of the workspace's customer with this address, upper and lower case alike; created when absent.
 * `name` counts only for a new customer. Runs inside the caller's transaction.
 */
export function findOrCreateCustomer(
  db: Db,
  workspaceId: string,
  email: string,
  name: string | null,
  now: Date,
): string {
  const folded = email.toLowerCase();
  const found = db
    .prepare<[string, string], { id: string }>(
      'SELECT id FROM customers WHERE workspace_id = ? AND email_folded = ?',
    )
    .get(workspaceId, folded);
  if (found) return found.id;
  const id = randomUUID();
  db.prepare(
    'INSERT INTO customers (id, workspace_id, email, email_folded, name, created_at) VALUES (?, ?, ?, ?, ?, ?)',
  ).run(id, workspaceId, email, folded, name, now.toISOString());
  return id;
}

/** A customer that exists, without the id. */
export function getCustomer(db: Db, customerId: string): Customer {
  return db
    .prepare<[string], Customer>('SELECT name, email, company FROM customers WHERE id = ?')
    .get(customerId)!;
}

/** Up to `limit` customers whose name, address or company contains `search`, in order of name or address. */
export function listCustomers(db: Db, workspaceId: string, search: string, limit: number): CustomerRecord[] {
  return db
    .prepare<object, CustomerRecord>(
      `SELECT id, name, email, company, (SELECT count(*) FROM tickets WHERE customer_id = c.id) AS ticket_count
       FROM customers c
       WHERE workspace_id = @workspaceId
         AND (@search = '' OR contains_folded(email, @search) OR contains_folded(name, @search)
              OR contains_folded(company, @search))
       ORDER BY coalesce(name, email) COLLATE NOCASE, email_folded LIMIT @limit`,
    )
    .all({ workspaceId, search: search.toLowerCase(), limit });
}

/** Sets or clears a customer's company; false when the workspace has no such customer. */
export function setCompany(db: Db, workspaceId: string, customerId: string, company: string | null): boolean {
  const { changes } = db
    .prepare('UPDATE customers SET company = ? WHERE id = ? AND workspace_id = ?')
    .run(company, customerId, workspaceId);
  return changes > 0;
}

export interface CustomerTicket {
  id: string;
  ticket_number: number;
  subject: string;
  status: Status;
  is_merged: boolean;
  updated_at: string;
}

/** The customer's newest tickets apart from `ticketId`, newest first, at most `limit`. */
export function listOtherTickets(
  db: Db,
  customerId: string,
  ticketId: string,
  limit: number,
): CustomerTicket[] {
  return db
    .prepare<[string, string, number], Omit<CustomerTicket, 'is_merged'> & { is_merged: number }>(
      `SELECT id, ticket_number, subject, status, merged_into IS NOT NULL AS is_merged, updated_at
       FROM tickets WHERE customer_id = ? AND id <> ? ORDER BY ticket_number DESC LIMIT ?`,
    )
    .all(customerId, ticketId, limit)
    .map((ticket) => ({ ...ticket, is_merged: ticket.is_merged === 1 }));
}
