import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createKey, listKeys, revokeKey } from '../keys/keys.ts';
import { mergeTicket } from '../tickets/merge-ticket.ts';
import { createTestService } from '../test-service.ts';
import { printFindings } from './print.ts';
import { runContract } from './run.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

/** Serves an app on a free loopback port. */
async function listen(app: Hono): Promise<string> {
  const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 });
  cleanups.push(() => {
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
  });
  await new Promise((resolve) => server.once('listening', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function prepare() {
  const service = createTestService();
  const { db, workspace, addWorkspace, createTicket } = service;
  const [merged, target] = [await createTicket(), await createTicket()];
  mergeTicket(db, workspace.id, merged.id, target.ticket_number, {
    agentId: workspace.agentId,
    now: new Date(),
  });
  const revokedKey = createKey(db, workspace.id, 'Revoked', new Date());
  const { id } = listKeys(db, workspace.id).find((key) => key.label === 'Revoked')!;
  revokeKey(db, workspace.id, id, new Date());
  const options = { key: workspace.key, otherKey: addWorkspace().key, revokedKey, mergedTicket: merged.id };
  return { app: service.app, options };
}

const rulesOf = (findings: Awaited<ReturnType<typeof runContract>>, kind: string) =>
  findings.filter((finding) => finding.kind === kind).map(({ rule, detail }) => `${rule}: ${detail}`);

describe('the contract check', () => {
  it('finds that this service follows every rule that a client can check', async () => {
    const { app, options } = await prepare();
    const findings = await runContract({ url: await listen(app), ...options });
    expect(rulesOf(findings, 'broken')).toStrictEqual([]);
    expect(rulesOf(findings, 'holds').length).toBeGreaterThan(50);
    expect(rulesOf(findings, 'unchecked')).toHaveLength(3);
    expect(printFindings(findings)).toMatch(/\d+ hold, 0 do not/);
  });

  it('names what a service breaks', async () => {
    const { app, options } = await prepare();
    const broken = new Hono();
    broken.use(async (c) => {
      const response = await app.fetch(c.req.raw);
      const text = await response.text();
      if (response.status === 401) return c.json({ error: 'unauthorized' }, 401);
      if (response.status === 409) return c.json({ data: {} }, 201);
      return c.body(text.replaceAll('"medium"', '"normal"'), response.status as 200, {
        'Content-Type': 'application/json',
      });
    });
    const findings = await runContract({ url: await listen(broken), ...options });
    const rules = rulesOf(findings, 'broken').join('\n');
    expect(rules).toContain('No key: 401');
    expect(rules).toContain('A revoked key');
    expect(rules).toContain('priority defaults to "medium": priority "normal"');
    expect(rules).toContain('A merged ticket: 409: 201');
    expect(rules).not.toContain('subject of 301');
  });

  it.each(['null', '[]', '{"data":null}', '{"data":[null]}', 'not json', ''])(
    'survives a service that always answers %j',
    async (text) => {
      const odd = new Hono();
      odd.all('*', (c) => c.body(text, 200));
      const findings = await runContract({ url: await listen(odd), key: 'x' });
      expect(rulesOf(findings, 'broken').length).toBeGreaterThan(20);
      expect(rulesOf(findings, 'broken').join()).not.toContain('could not make sense');
    },
  );

  it('reports a service that cannot be reached', async () => {
    const findings = await runContract({ url: 'http://127.0.0.1:1', key: 'x' });
    expect(rulesOf(findings, 'broken').join()).toContain('no answer');
  });
});
