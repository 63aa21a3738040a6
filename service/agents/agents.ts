import { randomUUID } from 'node:crypto';
import type { Db } from '../db/open.ts';
import { hashSecret, newSecret } from '../secrets.ts';
import { verifyPassword } from './passwords.ts';

/** A signed-in agent. */
export interface Agent {
  id: string;
  email: string;
  workspace_id: string;
  workspace_name: string;
}

/**
 * What customers and other agents call an agent, made of the address: `bea.miller@example.com` is Bea Miller.
 */
export function agentName(email: string): string {
  const words = email.slice(0, email.lastIndexOf('@')).split(/[\s._+-]+/);
  return words
    .filter((word) => word !== '')
    .map((word) => word[0]!.toLocaleUpperCase() + word.slice(1))
    .join(' ');
}

/** A session ends this long after sign-in. */
export const sessionMs = 14 * 24 * 60 * 60_000;

/** Adds an agent to a workspace; an address belongs to one agent in the whole service. */
export function createAgent(
  db: Db,
  workspaceId: string,
  agent: { email: string; passwordHash: string },
  now: Date,
): string {
  const id = randomUUID();
  db.prepare(
    'INSERT INTO agents (id, workspace_id, email, email_folded, password_hash, created_at) VALUES (?, ?, ?, ?, ?, ?)',
  ).run(id, workspaceId, agent.email, agent.email.toLowerCase(), agent.passwordHash, now.toISOString());
  return id;
}

/** Checks the password and opens a session: its token, or null when address and password do not match. */
export async function signIn(db: Db, email: string, password: string, now: Date): Promise<string | null> {
  const found = db
    .prepare<[string], { id: string; password_hash: string }>(
      'SELECT id, password_hash FROM agents WHERE email_folded = ?',
    )
    .get(email.toLowerCase());
  const isRight = await verifyPassword(password, found?.password_hash ?? null);
  if (!found || !isRight) return null;
  return openSession(db, found.id, now);
}

/** Opens a session for an agent who has proved who they are; answers its token, stored as a hash only. */
export function openSession(db: Db, agentId: string, now: Date): string {
  const token = newSecret('');
  db.prepare('DELETE FROM agent_sessions WHERE expires_at < ?').run(now.toISOString());
  db.prepare('INSERT INTO agent_sessions (token_hash, agent_id, expires_at) VALUES (?, ?, ?)').run(
    hashSecret(token),
    agentId,
    new Date(now.getTime() + sessionMs).toISOString(),
  );
  return token;
}

/** The agent of a live session; null otherwise. */
export function findAgent(db: Db, token: string, now: Date): Agent | null {
  const agent = db
    .prepare<[string, string], Agent>(
      `SELECT a.id, a.email, w.id AS workspace_id, w.name AS workspace_name
       FROM agent_sessions s JOIN agents a ON a.id = s.agent_id JOIN workspaces w ON w.id = a.workspace_id
       WHERE s.token_hash = ? AND s.expires_at > ?`,
    )
    .get(hashSecret(token), now.toISOString());
  return agent ?? null;
}

/** Ends a session; does nothing when there is none. */
export function signOut(db: Db, token: string): void {
  db.prepare('DELETE FROM agent_sessions WHERE token_hash = ?').run(hashSecret(token));
}

/** Whether the desk opens the next ticket when the agent has sent an answer. */
export function getOpensNext(db: Db, agentId: string): boolean {
  return db.prepare('SELECT opens_next FROM agents WHERE id = ?').pluck().get(agentId) === 1;
}

export function setOpensNext(db: Db, agentId: string, opensNext: boolean): void {
  db.prepare('UPDATE agents SET opens_next = @value WHERE id = @agentId AND opens_next <> @value').run({
    agentId,
    value: opensNext ? 1 : 0,
  });
}
