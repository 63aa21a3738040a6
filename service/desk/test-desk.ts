import { createAgent, openSession } from '../agents/agents.ts';
import type { TestService } from '../test-service.ts';

/** The desk's own origin in tests. */
export const origin = 'http://desk.example.com';

/** Gets a desk page as the workspace's agent. */
export const page = async (
  { app, workspace }: TestService,
  path: string,
  headers: Record<string, string> = {},
) => app.request(`/desk${path}`, { headers: { cookie: workspace.cookie, ...headers } });

export const pageText = async (service: TestService, path: string) => (await page(service, path)).text();

/** Sends a desk form as the workspace's agent. */
export const post = async (
  { app, workspace }: TestService,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = { origin },
) =>
  app.request(`/desk${path}`, {
    method: 'POST',
    headers: { cookie: workspace.cookie, 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
  });

/** A ticket as the API shows it. */
export const conversation = async ({ call }: TestService, id: string) => {
  const response = await call('GET', `/tickets/${id}`);
  const { data } = (await response.json()) as {
    data: { status: string; updated_at: string; messages: { author_type: string; body: string }[] };
  };
  return data;
};

/** The same service, used by another agent of its workspace. */
export const asColleague = (service: TestService, email: string): TestService => {
  const { db, workspace } = service;
  const agentId = createAgent(db, workspace.id, { email, passwordHash: '' }, new Date());
  const cookie = `deskside_desk=${openSession(db, agentId, new Date())}`;
  return { ...service, workspace: { ...workspace, agentId, agentEmail: email, cookie } };
};

/** The same service, used by the agent of another workspace. */
export const asStranger = (service: TestService): TestService => ({
  ...service,
  workspace: service.addWorkspace(),
});
