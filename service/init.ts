import { randomBytes } from 'node:crypto';
import { createAgent } from './agents/agents.ts';
import { hashPassword } from './agents/passwords.ts';
import type { Db } from './db/open.ts';
import { createKey } from './keys/keys.ts';
import { createWorkspace } from './workspaces.ts';

/** What a new workspace starts with; the key and the password exist nowhere else. */
export interface InitResult {
  workspace_id: string;
  api_key: string;
  agent: { email: string; password: string };
}

/** The workspace's name or the agent's address is taken. */
export class TakenError extends Error {
  override name = 'TakenError' as const;
}

/**
 * Creates a workspace with one agent and one API key, all or nothing; a password is made when none is given.
 * Throws `TakenError` when there is already such a workspace or agent.
 */
export async function initWorkspace(
  db: Db,
  input: { workspace: string; agent: string; password?: string | undefined },
  now: Date,
): Promise<InitResult & { agent_id: string }> {
  requireFree(db, input);
  const password = input.password ?? randomBytes(12).toString('base64url');
  const passwordHash = await hashPassword(password);
  const create = db.transaction(() => {
    const id = createWorkspace(db, input.workspace, now);
    const agentId = createAgent(db, id, { email: input.agent, passwordHash }, now);
    const apiKey = createKey(db, id, 'First key', now);
    return { workspace_id: id, agent_id: agentId, api_key: apiKey, agent: { email: input.agent, password } };
  });
  return create.immediate();
}

function requireFree(db: Db, { workspace, agent }: { workspace: string; agent: string }): void {
  if (db.prepare('SELECT 1 FROM workspaces WHERE name = ?').get(workspace))
    throw new TakenError(`the workspace "${workspace}" exists already`);
  if (db.prepare('SELECT 1 FROM agents WHERE email_folded = ?').get(agent.toLowerCase()))
    throw new TakenError(`the agent ${agent} exists already`);
}
