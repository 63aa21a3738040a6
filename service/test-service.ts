import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Hono } from 'hono';
import { pino } from 'pino';
import { createAgent, openSession } from './agents/agents.ts';
import { createApp } from './app.ts';
import { openDatabase, type Db } from './db/open.ts';
import type { Deps } from './deps.ts';
import { createFileStore } from './files/store.ts';
import { createKey } from './keys/keys.ts';
import { createWorkspace } from './workspaces.ts';

/** A workspace of a test, with its credentials. */
export interface TestWorkspace {
  id: string;
  key: string;
  agentId: string;
  agentEmail: string;
  /** Cookie header of a signed-in agent. */
  cookie: string;
}

export interface TestService {
  app: Hono;
  db: Db;
  workspace: TestWorkspace;
  addWorkspace: () => TestWorkspace;
  /** Calls the API with the first workspace's key. */
  call: (method: 'GET' | 'POST', path: string, body?: unknown, key?: string) => Promise<Response>;
  /** Creates a ticket and returns it. */
  createTicket: (fields?: Record<string, unknown>) => Promise<{ id: string; ticket_number: number }>;
}

/** A whole service for one test: fresh in memory unless a database is given; `overrides` replace its parts. */
export function createTestService(overrides: Partial<Deps> = {}): TestService {
  const db = overrides.db ?? openDatabase(':memory:');
  const deps: Deps = {
    db,
    log: pino({ level: 'silent' }),
    publicUrl: 'http://desk.example.com',
    trustedProxies: 0,
    files: createFileStore(db, join(tmpdir(), `deskside-files-${randomUUID()}`), 1_000_000),
    fileHosts: ['https://support.example.com'],
    now: () => new Date(),
    onEvent: () => {},
    ...overrides,
  };
  const app = createApp(deps);
  const addWorkspace = () => {
    const name = randomUUID();
    const id = createWorkspace(db, name, deps.now());
    const agentEmail = `agent-${name}@example.com`;
    const agentId = createAgent(db, id, { email: agentEmail, passwordHash: '' }, deps.now());
    const cookie = `deskside_desk=${openSession(db, agentId, deps.now())}`;
    return { id, key: createKey(db, id, 'Test key', deps.now()), agentId, agentEmail, cookie };
  };
  const workspace = addWorkspace();
  const call: TestService['call'] = async (method, path, body, key = workspace.key) =>
    app.request(`/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const createTicket: TestService['createTicket'] = async (fields = {}) => {
    const response = await call('POST', '/tickets', { ...validTicket, ...fields });
    const { data } = (await response.json()) as { data: { id: string; ticket_number: number } };
    return data;
  };
  return { app, db, workspace, addWorkspace, call, createTicket };
}

export const validTicket = {
  subject: 'The lid does not fit',
  description: 'It is slightly too large.',
  customer_email: 'mira@example.com',
};
