import { randomUUID } from 'node:crypto';
import type { Db } from '../db/open.ts';
import { recordEvent } from '../webhooks/events.ts';
import type { Message, Status } from './model.ts';

interface Target {
  ticket_number: number;
  merged_into: string | null;
}

/**
 * Why nothing was added: no such ticket in the workspace, it was merged into another, the form has already added another
 * text, or its author has not seen the newest messages.
 */
export type Refusal = 'not_found' | 'merged' | 'form_used' | 'unseen';

/** Appends a customer's public message and its event. It needs an answer; the status stays: v1 changes none. */
export function addCustomerMessage(
  db: Db,
  workspaceId: string,
  ticketId: string,
  body: string,
  now: Date,
): Message | Refusal {
  return addPublicMessage(db, workspaceId, ticketId, { id: randomUUID(), body, agentId: null }, now);
}

/**
 * Appends an agent's public answer and its event; a new ticket becomes open, or the ticket gets the status `newStatus`.
 * A ticket that nobody is assigned to is assigned to the author.
 * `id` is the form's own: the same form sent twice (a double click) adds one answer. `seen`: the newest public message
 * that the agent has seen, or the ticket's own id. With a newer one, nothing is added.
 */
export function addAnswer(
  db: Db,
  workspaceId: string,
  ticketId: string,
  answer: {
    id: string;
    body: string;
    agentId: string;
    newStatus?: Status | undefined;
    seen?: string | undefined;
  },
  now: Date,
): Message | Refusal {
  return addPublicMessage(db, workspaceId, ticketId, answer, now);
}

/** Appends an internal note, which is visible only in the desk: `updated_at` does not change either. */
export function addNote(
  db: Db,
  workspaceId: string,
  ticketId: string,
  note: { id: string; body: string; agentId: string },
  now: Date,
): Message | Refusal {
  const add = db.transaction(() => {
    if (!findTarget(db, workspaceId, ticketId)) return 'not_found';
    return insertMessage(db, ticketId, { ...note, isInternal: true }, now)?.message ?? 'form_used';
  });
  return add.immediate();
}

function addPublicMessage(
  db: Db,
  workspaceId: string,
  ticketId: string,
  input: {
    id: string;
    body: string;
    agentId: string | null;
    newStatus?: Status | undefined;
    seen?: string | undefined;
  },
  now: Date,
): Message | Refusal {
  const add = db.transaction(() => {
    const target = findTarget(db, workspaceId, ticketId);
    if (!target) return 'not_found';
    if (target.merged_into !== null) return 'merged';
    if (input.seen !== undefined && hasUnseen(db, ticketId, input.id, input.seen)) return 'unseen';
    const inserted = insertMessage(db, ticketId, { ...input, isInternal: false }, now);
    if (!inserted) return 'form_used';
    const { message, isNew } = inserted;
    if (!isNew) return message;
    const touch =
      input.agentId === null
        ? 'UPDATE tickets SET updated_at = @now, needs_answer = 1 WHERE id = @ticketId'
        : `UPDATE tickets SET updated_at = @now, needs_answer = 0,
             assignee_id = coalesce(assignee_id, @agentId), status = coalesce(@newStatus, CASE status WHEN 'new' THEN 'open' ELSE status END) WHERE id = @ticketId`;
    db.prepare(touch).run({
      now: now.toISOString(),
      ticketId,
      agentId: input.agentId,
      newStatus: input.newStatus ?? null,
    });
    recordEvent(
      db,
      workspaceId,
      {
        type: 'ticket.message.created',
        data: { ticket_id: ticketId, ticket_number: target.ticket_number, message },
      },
      now,
    );
    return message;
  });
  return add.immediate();
}

function findTarget(db: Db, workspaceId: string, ticketId: string): Target | undefined {
  return db
    .prepare<[string, string], Target>(
      'SELECT ticket_number, merged_into FROM tickets WHERE id = ? AND workspace_id = ?',
    )
    .get(ticketId, workspaceId);
}

/** Whether the ticket has public messages after `seen`. The message `id` itself, sent twice, is not one of them. */
const hasUnseen = (db: Db, ticketId: string, id: string, seen: string): boolean =>
  db
    .prepare(
      `SELECT 1 FROM messages WHERE ticket_id = @ticketId AND is_internal = 0
         AND seq > coalesce((SELECT seq FROM messages WHERE id = @seen AND ticket_id = @ticketId), 0)
         AND NOT EXISTS (SELECT 1 FROM messages WHERE id = @id) LIMIT 1`,
    )
    .get({ ticketId, id, seen }) !== undefined;

/** Null when the id belongs to another message; the same one again (a double click) is not new. */
function insertMessage(
  db: Db,
  ticketId: string,
  input: { id: string; body: string; agentId: string | null; isInternal: boolean },
  now: Date,
): { message: Message; isNew: boolean } | null {
  const row = {
    id: input.id,
    ticketId,
    isInternal: input.isInternal ? 1 : 0,
    author: input.agentId === null ? 'customer' : 'agent',
    agentId: input.agentId,
    body: input.body,
  };
  const { changes } = db
    .prepare(
      `INSERT INTO messages (id, ticket_id, is_internal, author_type, agent_id, body, created_at)
       VALUES (@id, @ticketId, @isInternal, @author, @agentId, @body, @now) ON CONFLICT (id) DO NOTHING`,
    )
    .run({ ...row, now: now.toISOString() });
  const message = db
    .prepare<[typeof row], Message>(
      `SELECT id, author_type, body, created_at FROM messages WHERE id = @id AND ticket_id = @ticketId
       AND is_internal = @isInternal AND author_type = @author AND agent_id IS @agentId AND body = @body`,
    )
    .get(row);
  return message ? { message, isNew: changes > 0 } : null;
}
