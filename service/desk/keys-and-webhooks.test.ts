import { describe, expect, it } from 'vitest';
import { createTestService } from '../test-service.ts';
import { listEndpoints } from '../webhooks/endpoints.ts';
import { page, pageText, post } from './test-desk.ts';

describe('keys and webhooks', () => {
  it('shows a new key once, and it works until revoked', async () => {
    const service = createTestService();
    const created = await (await post(service, '/keys', { label: 'Shop' })).text();
    const key = /dsk_[\w-]{43}/.exec(created)![0];
    const list = await (await page(service, '/keys')).text();
    expect(list).not.toContain(key);
    expect((await service.call('GET', '/tickets', undefined, key)).status).toBe(200);
    const keyId = /keys\/([\w-]+)\/revoke/.exec(list)![1]!;
    expect(list).toContain(`<form method="get" action="/desk/keys/${keyId}/revoke">`);
    const asked = await pageText(service, `/keys/${keyId}/revoke`);
    expect(asked).toContain('Revoke the key “Shop”?');
    expect(asked).toContain(`method="post" action="/desk/keys/${keyId}/revoke"`);
    expect((await service.call('GET', '/tickets', undefined, key)).status).toBe(200);
    await post(service, `/keys/${keyId}/revoke`, {});
    expect((await service.call('GET', '/tickets', undefined, key)).status).toBe(401);
  });

  it('adds an endpoint, shows its secret once, pauses, resumes and deletes it', async () => {
    const service = createTestService();
    const endpoints = () => listEndpoints(service.db, service.workspace.id);
    const fields = { url: 'https://example.com/hook', events: 'ticket.created' };
    const created = await (await post(service, '/webhooks', fields)).text();
    const secret = /whsec_[\w+/=]+/.exec(created)![0];
    expect(await (await page(service, '/webhooks')).text()).not.toContain(secret);
    const [{ id }] = endpoints() as [ReturnType<typeof endpoints>[0]];
    expect(endpoints()).toMatchObject([{ url: fields.url, events: ['ticket.created'], is_active: true }]);
    await post(service, `/webhooks/${id}/pause`, {});
    expect(endpoints()[0]!.is_active).toBe(false);
    await post(service, `/webhooks/${id}/resume`, {});
    expect(endpoints()[0]!.is_active).toBe(true);
    expect(await pageText(service, '/webhooks')).toContain(
      `<form method="get" action="/desk/webhooks/${id}/delete">`,
    );
    expect(await pageText(service, `/webhooks/${id}/delete`)).toContain(fields.url);
    expect(endpoints()).toHaveLength(1);
    await post(service, `/webhooks/${id}/delete`, {});
    expect(endpoints()).toStrictEqual([]);
  });

  it.each(['', 'nope', 'ftp://example.com', 'javascript:alert(1)', 'https://user:secret@example.com'])(
    'refuses the endpoint address %j',
    async (url) => {
      const service = createTestService();
      const response = await post(service, '/webhooks', { url, events: 'ticket.created' });
      expect(response.status).toBe(400);
      expect(listEndpoints(service.db, service.workspace.id)).toStrictEqual([]);
    },
  );

  it('of another workspace are not found', async () => {
    const service = createTestService();
    await post(service, '/webhooks', { url: 'https://example.com/hook', events: 'ticket.created' });
    const { id } = listEndpoints(service.db, service.workspace.id)[0]!;
    const keyId = /keys\/([\w-]+)\/revoke/.exec(await pageText(service, '/keys'))![1]!;
    const other = { ...service, workspace: service.addWorkspace() };
    expect((await page(other, `/webhooks/${id}/delete`)).status).toBe(404);
    expect((await page(other, `/keys/${keyId}/revoke`)).status).toBe(404);
  });
});
