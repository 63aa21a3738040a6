import { randomBytes } from 'node:crypto';
import { createAgent } from './agents/agents.ts';
import { hashPassword } from './agents/passwords.ts';
import type { Db } from './db/open.ts';
import { createKey } from './keys/keys.ts';
import { createWorkspace } from './workspaces.ts';

/** The initial content of a new workspace. The key and the password are stored nowhere else. */
export interface InitResult {
  workspace_id: string;
  api_key: string;
  agent: { email: string; password: string };
}

/** The request cannot be carried out: a name or address is taken, or there is no such workspace. */
export class RefusedError extends Error {
  override name = 'RefusedError' as const;
}

/** An agent to be made; a password is made when none is given. */
interface NewAgent {
  workspace: string;
  agent: string;
  password?: string | undefined;
}

const newPassword = () => randomBytes(12).toString('base64url');

function refuseTakenAgent(db: Db, email: string): void {
  if (db.prepare('SELECT 1 FROM agents WHERE email_folded = ?').get(email.toLowerCase()))
    throw new RefusedError(`the agent ${email} exists already`);
}

/** Adds one more agent to a workspace. Throws `RefusedError` when there is no such workspace, or already the agent. */
export async function addAgent(db: Db, input: NewAgent, now: Date): Promise<Pick<InitResult, 'agent'>> {
  const password = input.password ?? newPassword();
  const passwordHash = await hashPassword(password);
  const create = db.transaction(() => {
    const workspace = db
      .prepare<[string], { id: string }>('SELECT id FROM workspaces WHERE name = ?')
      .get(input.workspace);
    if (!workspace) throw new RefusedError(`there is no workspace "${input.workspace}"`);
    refuseTakenAgent(db, input.agent);
    createAgent(db, workspace.id, { email: input.agent, passwordHash }, now);
  });
  create.immediate();
  return { agent: { email: input.agent, password } };
}

/**
 * Creates a workspace with one agent and one API key, all or nothing; a password is made when none is given.
 * Throws `RefusedError` when there is already such a workspace or agent.
 */
export async function initWorkspace(
  db: Db,
  input: NewAgent,
  now: Date,
): Promise<InitResult & { agent_id: string }> {
  const password = input.password ?? newPassword();
  const passwordHash = await hashPassword(password);
  const create = db.transaction(() => {
    refuseTakenWorkspace(db, input.workspace);
    refuseTakenAgent(db, input.agent);
    const id = createWorkspace(db, input.workspace, now);
    const agentId = createAgent(db, id, { email: input.agent, passwordHash }, now);
    const apiKey = createKey(db, id, 'First key', now);
    return { workspace_id: id, agent_id: agentId, api_key: apiKey, agent: { email: input.agent, password } };
  });
  return create.immediate();
}

function refuseTakenWorkspace(db: Db, name: string): void {
  if (db.prepare('SELECT 1 FROM workspaces WHERE name = ?').get(name))
    throw new RefusedError(`the workspace "${name}" exists already`);
}
