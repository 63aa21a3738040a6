import { randomUUID } from 'node:crypto';
import type { Db } from '../db/open.ts';
import type { Message, Ticket } from '../tickets/model.ts';

export const eventTypes = ['ticket.created', 'ticket.message.created'] as const;
export type EventType = (typeof eventTypes)[number];

/** What happened. Public data only: an internal note makes no event. */
export type ServiceEvent =
  | { type: 'ticket.created'; data: { ticket_id: string; ticket_number: number; ticket: Ticket } }
  | { type: 'ticket.message.created'; data: { ticket_id: string; ticket_number: number; message: Message } };

/**
 * Writes the event and one pending delivery for each active, subscribed endpoint to the outbox.
 * Must run inside the transaction that makes the event true. The payload is fixed here: retries send the same bytes.
 */
export function recordEvent(db: Db, workspaceId: string, event: ServiceEvent, now: Date): void {
  const endpoints = db
    .prepare<[string, string], { id: string }>(
      `SELECT e.id FROM webhook_endpoints e JOIN webhook_subscriptions s ON s.endpoint_id = e.id
       WHERE e.workspace_id = ? AND e.is_active = 1 AND s.event_type = ?`,
    )
    .all(workspaceId, event.type);
  if (endpoints.length === 0) return;
  const id = `msg_${randomUUID()}`;
  const at = now.toISOString();
  const payload = JSON.stringify({ type: event.type, timestamp: at, data: event.data });
  db.prepare('INSERT INTO webhook_events (id, type, payload, created_at) VALUES (?, ?, ?, ?)').run(
    id,
    event.type,
    payload,
    at,
  );
  const deliver = db.prepare(
    'INSERT INTO webhook_deliveries (event_id, endpoint_id, next_attempt_at) VALUES (?, ?, ?)',
  );
  for (const endpoint of endpoints) deliver.run(id, endpoint.id, at);
}
