import { describe, expect, it } from 'vitest';
import { signIn } from './agents/agents.ts';
import { openDatabase } from './db/open.ts';
import { seedDemo } from './demo-data.ts';
import { addAgent, initWorkspace, RefusedError } from './init.ts';
import { findWorkspaceByKey } from './keys/keys.ts';
import { listTickets } from './tickets/read-tickets.ts';

describe('initWorkspace', () => {
  it('creates a workspace whose key and password work', async () => {
    const db = openDatabase(':memory:');
    const now = new Date();
    const made = await initWorkspace(db, { workspace: 'Shop', agent: 'a@example.com' }, now);
    expect(findWorkspaceByKey(db, made.api_key, now)).toBe(made.workspace_id);
    expect(await signIn(db, 'a@example.com', made.agent.password, now)).toEqual(expect.any(String));
  });

  it('refuses a name or agent that is taken, and then stores nothing', async () => {
    const db = openDatabase(':memory:');
    const init = (workspace: string, agent: string) =>
      initWorkspace(db, { workspace, agent, password: 'tea-time-4' }, new Date());
    await init('Shop', 'a@example.com');
    await expect(init('Shop', 'b@example.com')).rejects.toThrow(RefusedError);
    await expect(init('Other', 'A@example.com')).rejects.toThrow(RefusedError);
    expect(db.prepare('SELECT count(*) FROM workspaces').pluck().get()).toBe(1);
  });

  it('lets more agents be added, each to an existing workspace', async () => {
    const db = openDatabase(':memory:');
    const now = new Date();
    await initWorkspace(db, { workspace: 'Shop', agent: 'a@example.com' }, now);
    const { agent } = await addAgent(db, { workspace: 'Shop', agent: 'b@example.com' }, now);
    expect(await signIn(db, 'b@example.com', agent.password, now)).toEqual(expect.any(String));
    await expect(addAgent(db, { workspace: 'Shop', agent: 'B@example.com' }, now)).rejects.toThrow(
      RefusedError,
    );
    await expect(addAgent(db, { workspace: 'Other', agent: 'c@example.com' }, now)).rejects.toThrow(
      RefusedError,
    );
  });

  it('seeds demo tickets of several ages and states, oldest with the lowest number', async () => {
    const db = openDatabase(':memory:');
    const now = new Date();
    const made = await initWorkspace(db, { workspace: 'Shop', agent: 'a@example.com' }, now);
    seedDemo(db, made.workspace_id, made.agent_id, now);
    const tickets = listTickets(db, made.workspace_id, 50);
    const created = tickets.map((ticket) => ticket.created_at);
    expect(created).toStrictEqual([...created].sort().reverse());
    expect(new Set(tickets.map((ticket) => ticket.status)).size).toBe(5);
    expect(tickets.every((ticket) => ticket.created_at <= ticket.updated_at)).toBe(true);
  });
});
