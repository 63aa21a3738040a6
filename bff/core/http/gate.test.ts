import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountPaths } from '../../../shared/contract/account-paths.ts';
import { gateHeader, idempotencyHeader, paths } from '../../../shared/contract/paths.ts';
import { startBff, type TestBff } from '../../testing/bff.ts';
import { ticketBody } from '../../testing/browser.ts';

let bff: TestBff;
beforeAll(async () => {
  bff = await startBff();
});
afterAll(() => bff.stop());

const own = 'https://support.test';
const sites = [undefined, 'same-origin', 'same-site', 'cross-site', 'none', 'SAME-ORIGIN', ''];
const origins = [
  undefined,
  own,
  'https://shop.test',
  'https://support.test.evil.example',
  'http://support.test',
  'https://support.test:8443',
  'null',
];
const types = [
  undefined,
  'application/json',
  'application/json; charset=utf-8',
  'Application/JSON',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonp',
  'text/plain; application/json',
];
const marks = [undefined, '1', '0', 'true', '1, 1'];

const given = (headers: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >;

const isOwn = (site: string | undefined, origin: string | undefined) =>
  site === undefined ? origin === own : site === 'same-origin';
const isJson = (type: string | undefined) => /^application\/json(; charset=utf-8)?$/i.test(type ?? '');

describe.each(sites)('Sec-Fetch-Site: %s', (site) => {
  it('with every origin and header lets reads pass in the intended cells only', async () => {
    for (const origin of origins)
      for (const mark of marks) {
        const headers = given({ 'Sec-Fetch-Site': site, Origin: origin, [gateHeader]: mark });
        const { status } = await bff.app.request(paths.session, { headers });
        const expected = isOwn(site, origin) && mark === '1' ? 200 : 403;
        expect([origin, mark, status]).toEqual([origin, mark, expected]);
      }
  });

  it('with every origin, header and content type lets writes pass in the intended cells only [browser-1]', async () => {
    const before = bff.service.writes().length;
    let passed = 0;
    for (const origin of origins)
      for (const mark of marks)
        for (const type of types) {
          const headers = given({
            'Sec-Fetch-Site': site,
            Origin: origin,
            [gateHeader]: mark,
            'Content-Type': type,
            [idempotencyHeader]: crypto.randomUUID(),
          });
          const body = new TextEncoder().encode(JSON.stringify(ticketBody));
          const { status } = await bff.app.request(paths.tickets, { method: 'POST', headers, body });
          const isLetIn = isOwn(site, origin) && mark === '1';
          const expected = isLetIn ? (isJson(type) ? 201 : 415) : 403;
          expect([origin, mark, type, status]).toEqual([origin, mark, type, expected]);
          if (expected === 201) passed += 1;
        }
    expect(bff.service.writes().length - before).toBe(passed);
  });
});

it('the gate applies to every route of the API, also to unknown ones [browser-2]', async () => {
  for (const path of [...Object.values({ ...paths, ...accountPaths }).map(String), '/api/nothing'].filter(
    (each) => each.startsWith('/api'),
  ))
    for (const method of ['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'])
      expect((await bff.app.request(path, { method, headers: { Origin: own } })).status).toBe(403);
});

it('the gate never allows another origin to read [browser-3]', async () => {
  const headers = { Origin: 'https://shop.test', 'Access-Control-Request-Method': 'POST' };
  for (const method of ['OPTIONS', 'GET', 'POST']) {
    const response = await bff.app.request(paths.tickets, { method, headers });
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
});
