import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { idempotencyHeader } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import { ticketBody } from '../../testing/browser.ts';

let bff: TestBff;
beforeEach(async () => {
  bff = await startBff({ publicUrl: 'https://www.example.com/support' });
});
afterEach(() => bff.stop());
const get = async (path: string) => bff.app.request(path);

it.each(['/support/widget.js', '/widget.js', '/support/', '/support/frame', '/frame'])(
  'under a path %s is answered, whether or not a proxy has taken the path off',
  async (path) => expect((await get(path)).status).toBe(200),
);

it.each(['/supporter/widget.js', '/other/support/widget.js', '/support/support/widget.js'])(
  'under a path %s is not found',
  async (path) => expect((await get(path)).status).toBe(404),
);

it('the path without a slash at its end leads to the folder, with its query', async () => {
  const response = await get('/support?ticket=1');
  expect([response.status, response.headers.get('Location')]).toEqual([
    308,
    'https://www.example.com/support/?ticket=1',
  ]);
});

it('under a path the policy admits what is below it, and nothing else of the host', async () => {
  const { headers } = await get('/support/frame');
  const policy = headers.get('Content-Security-Policy')!;
  expect(policy).toContain('connect-src https://www.example.com/support/;');
  expect(policy).toMatch(/script-src [^;]*https:\/\/www\.example\.com\/support\/;/);
  expect(policy).not.toContain("'self'");
});

it('under a path the transport policy is left to the site', async () => {
  expect((await get('/support/widget.js')).headers.get('Strict-Transport-Security')).toBeNull();
});

it('under a path the API works, and its metrics have the same routes as without', async () => {
  const ada = bff.browser();
  const { status, headers } = await ada.post('/support/api/tickets', ticketBody);
  expect(status).toBe(201);
  // Another BFF may be under another path of the host.
  expect(headers.get('Set-Cookie')).toMatch(/^__Host-deskside\+support=.*; Path=\/;/);
  expect((await ada.get('/support/api/tickets')).data).toHaveLength(1);
  const requests = await bff.metrics.httpRequests.get();
  expect(requests.values.map(({ labels }) => labels.route)).toContain('/api/tickets');
});

describe('a site of several', () => {
  const mount = '/sites/garden';
  let site: TestBff;
  const at = async (publicUrl: string) => {
    site = await startBff({ publicUrl, mount });
    return async (path: string) => site.app.request(path);
  };
  afterEach(() => site.stop());

  it.each([
    ['https://www.example.com/support/sites/garden', '/support/sites/garden/frame'],
    ['https://www.example.com/support/sites/garden', '/sites/garden/frame'],
    ['https://help.garden.example', '/sites/garden/frame'],
    ['https://www.garden.example/help', '/sites/garden/help/frame'],
    ['https://www.garden.example/help', '/sites/garden/frame'],
  ])('at %s is answered at %s', async (publicUrl, path) =>
    expect((await (await at(publicUrl))(path)).status).toBe(200),
  );

  it.each(['https://www.example.com/support/sites/garden', 'https://help.garden.example'])(
    'at %s is found without a slash, also if a proxy has taken the path off',
    async (publicUrl) =>
      expect((await (await at(publicUrl))(mount)).headers.get('Location')).toBe(`${publicUrl}/`),
  );

  it('with a host of its own replaces no cookie of the main site, whose host has it too', async () => {
    const publicUrl = 'https://help.garden.example';
    await at(publicUrl);
    const openFrom = (origin: string) =>
      site.browser().request('POST', `${mount}/api/tickets`, ticketBody, {
        Origin: origin,
        [idempotencyHeader]: crypto.randomUUID(),
      });
    const { status, headers } = await openFrom('https://support.example.com');
    expect([status, headers.get('Set-Cookie')]).toEqual([403, null]);
    expect((await openFrom(publicUrl)).headers.get('Set-Cookie')).toMatch(/^__Host-deskside=/);
  });
});
