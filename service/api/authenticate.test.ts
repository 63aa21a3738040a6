import { describe, expect, it } from 'vitest';
import { createKey, listKeys, revokeKey } from '../keys/keys.ts';
import { createTestService, validTicket } from '../test-service.ts';

const unknownId = '00000000-0000-4000-8000-000000000000';
const endpoints = [
  ['GET', '/tickets'],
  ['POST', '/tickets'],
  ['GET', `/tickets/${unknownId}`],
  ['POST', `/tickets/${unknownId}/messages`],
] as const;

describe('authentication', () => {
  it.each(endpoints)('refuses %s %s without a valid key', async (method, path) => {
    const { app, workspace } = createTestService();
    const bad = [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      `Bearer ${workspace.key}x`,
      `Basic ${workspace.key}`,
      workspace.key,
    ];
    for (const authorization of bad) {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      const response = await app.request(`/api/v1${path}`, { method, headers });
      expect(response.status).toBe(401);
      expect(await response.text()).toBe('{"error":"Unauthorized"}');
    }
  });

  it('accepts several keys, and refuses each once it is revoked', async () => {
    const { call, db, workspace } = createTestService();
    const second = createKey(db, workspace.id, 'Second', new Date());
    expect((await call('GET', '/tickets', undefined, second)).status).toBe(200);
    const { id } = listKeys(db, workspace.id).find((key) => key.label === 'Second')!;
    revokeKey(db, workspace.id, id, new Date());
    expect((await call('GET', '/tickets', undefined, second)).status).toBe(401);
    expect((await call('GET', '/tickets')).status).toBe(200);
  });

  it('keeps no key in the database, only its hash', () => {
    const { db, workspace } = createTestService();
    const rows = JSON.stringify(db.prepare('SELECT * FROM api_keys').all());
    expect(rows).not.toContain(workspace.key);
    expect(rows).not.toContain(workspace.key.slice(4, -4));
  });

  it('does not let one workspace revoke the key of another', async () => {
    const { call, db, workspace, addWorkspace } = createTestService();
    const [key] = listKeys(db, workspace.id);
    revokeKey(db, addWorkspace().id, key!.id, new Date());
    expect((await call('GET', '/tickets')).status).toBe(200);
  });
});

describe('another workspace', () => {
  it('never sees, lists or writes to a ticket', async () => {
    const { call, createTicket, addWorkspace } = createTestService();
    const { id } = await createTicket();
    const { key } = addWorkspace();
    expect(await (await call('GET', '/tickets', undefined, key)).json()).toStrictEqual({ data: [] });
    const read = await call('GET', `/tickets/${id}`, undefined, key);
    const unknown = await call('GET', `/tickets/${unknownId}`);
    expect([read.status, await read.text()]).toStrictEqual([unknown.status, await unknown.text()]);
    expect((await call('POST', `/tickets/${id}/messages`, { body: 'x' }, key)).status).toBe(404);
    expect(await (await call('GET', `/tickets/${id}`)).json()).toMatchObject({ data: { messages: [] } });
  });
});

describe('routes', () => {
  it('answer 405 for other methods of a known path, and 404 for an unknown path', async () => {
    const { app, workspace } = createTestService();
    const headers = { authorization: `Bearer ${workspace.key}` };
    const status = async (method: string, path: string) =>
      (await app.request(path, { method, headers })).status;
    expect(await status('DELETE', '/api/v1/tickets')).toBe(405);
    expect(await status('GET', `/api/v1/tickets/${unknownId}/messages`)).toBe(405);
    expect(await status('GET', '/api/v1/customers')).toBe(404);
    expect(await status('GET', '/nothing')).toBe(404);
    expect(await status('GET', '/livez')).toBe(200);
  });

  it('answer an internal error without its text', async () => {
    const { call, db } = createTestService();
    db.exec('ALTER TABLE messages RENAME TO gone');
    const response = await call('POST', '/tickets', validTicket);
    expect(response.status).toBe(201);
    const { data } = (await response.json()) as { data: { id: string } };
    const failed = await call('GET', `/tickets/${data.id}`);
    expect(failed.status).toBe(500);
    expect(await failed.json()).toStrictEqual({ error: 'Internal error' });
  });
});
