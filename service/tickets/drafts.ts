import type { Db } from '../db/open.ts';

/** What an agent has written on a ticket's page and not sent. */
export interface Drafts {
  answer: string;
  note: string;
}

/** SECURITY: one agent's drafts are never another's. */
export interface DraftOwner {
  agentId: string;
  ticketId: string;
}

export function getDrafts(db: Db, owner: DraftOwner): Drafts {
  const found = db
    .prepare<[DraftOwner], Drafts>(
      'SELECT answer, note FROM drafts WHERE agent_id = @agentId AND ticket_id = @ticketId',
    )
    .get(owner);
  return found ?? { answer: '', note: '' };
}

/** Replaces the drafts that `changes` names; blank ones are forgotten. */
export function saveDrafts(db: Db, owner: DraftOwner, changes: Partial<Drafts>): void {
  const before = getDrafts(db, owner);
  const after = { ...before, ...changes };
  if (after.answer.trim() === '' && after.note.trim() === '')
    db.prepare('DELETE FROM drafts WHERE agent_id = @agentId AND ticket_id = @ticketId').run(owner);
  else if (after.answer !== before.answer || after.note !== before.note)
    db.prepare(
      `INSERT INTO drafts (agent_id, ticket_id, answer, note) VALUES (@agentId, @ticketId, @answer, @note)
       ON CONFLICT (agent_id, ticket_id) DO UPDATE SET answer = excluded.answer, note = excluded.note`,
    ).run({ ...owner, ...after });
}
