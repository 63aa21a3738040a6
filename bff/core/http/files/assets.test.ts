import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isAssetName } from '../../../../shared/contract/paths.ts';
import { openStore } from '../../store/open.ts';
import { startBff, type TestBff } from '../../../testing/bff.ts';
import { makeWidgetFolder } from '../../../testing/widget-folder.ts';
import { coreSchema } from '../../store/migrations.ts';

let bff: TestBff;
beforeAll(async () => {
  bff = await startBff();
});
afterAll(() => bff.stop());
const get = async (path: string, headers: Record<string, string> = {}) => bff.app.request(path, { headers });

describe('the loader', () => {
  it('comes in the best coding, with an ETag that answers 304', async () => {
    const response = await get('/widget.js', { 'Accept-Encoding': 'gzip, br;q=0.9' });
    expect(response.headers.get('Content-Encoding')).toBe('br');
    expect(await response.text()).toBe('brotli');
    const again = await get('/widget.js', {
      'Accept-Encoding': 'br',
      'If-None-Match': response.headers.get('ETag')!,
    });
    expect(again.status).toBe(304);
    expect(await (await get('/widget.js')).text()).toBe('loader()');
  });

  it.each([
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0, gzip;q=0', null],
    ['*', 'br'],
    ['BR', 'br'],
  ])('for a browser that accepts %j comes in %j', async (accepted, coding) => {
    const response = await get('/widget.js', { 'Accept-Encoding': accepted });
    expect(response.headers.get('Content-Encoding')).toBe(coding);
  });

  it.each([
    ['made weak by a proxy', (etag: string) => `W/${etag}`],
    ['among others', (etag: string) => `W/"x", ${etag},"y"`],
    ['as any', () => '*'],
  ])('answers 304 to its ETag %s', async (_how, toHeader) => {
    const etag = (await get('/widget.js')).headers.get('ETag')!;
    expect((await get('/widget.js', { 'If-None-Match': toHeader(etag) })).status).toBe(304);
  });

  it('answers in full to other ETags', async () => {
    const etag = (await get('/widget.js')).headers.get('ETag')!;
    for (const header of ['', '"x", W/"y"', etag.slice(1, -1), etag.slice(0, -2)])
      expect((await get('/widget.js', { 'If-None-Match': header })).status).toBe(200);
  });

  it('is cached permanently under the name of its version, and under no other', async () => {
    expect((await get('/widget-1.2.3.js')).headers.get('Cache-Control')).toContain('immutable');
    expect((await get('/widget-9.9.9.js')).status).toBe(404);
  });

  it('is the only thing that another origin may read [browser-4]', async () => {
    for (const path of ['/widget.js', '/assets/account-1a2b3c4d.js'])
      expect((await get(path)).headers.get('Access-Control-Allow-Origin')).toBe('*');
    for (const path of ['/frame', '/', '/api/session'])
      expect(
        (await get(path, { Origin: 'https://shop.test' })).headers.get('Access-Control-Allow-Origin'),
      ).toBeNull();
  });

  it.each(['/manifest.json', '/frame.en.html', '/widget.js.br', '/..%2fmanifest.json', '//widget.js'])(
    'nothing else of the folder is served: %s [browser-10]',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );
});

it('what loader and app import later is cached permanently under its name, and under no other', async () => {
  const script = await get('/assets/account-1a2b3c4d.js?2');
  expect(script.headers.get('Cache-Control')).toContain('immutable');
  expect(script.headers.get('Content-Type')).toContain('javascript');
  expect(script.headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin');
  expect(await script.text()).toBe('account()');
  for (const path of ['/assets/account-00000000.js', '/assets/', '/assets/..%2fmanifest.json', '/assets/%00'])
    expect((await get(path)).status).toBe(404);
});

describe('two builds on one store', () => {
  const former = { name: 'account.zh-Hans-Old4_-78.js', code: 'former()' };
  const next = { name: 'account.zh-Hans-New4_-78.js', code: 'next()' };
  let instances: TestBff[];
  let dataDir: string;
  const start = async (script: typeof former) => {
    const instance = await startBff({ dataDir, widgetDir: makeWidgetFolder(script) });
    instances.push(instance);
    await instance.housekeep();
    return instance;
  };
  const fetchScript = async ({ app }: TestBff, { name }: typeof former, coding = 'br') => {
    const response = await app.request(`/assets/${name}`, { headers: { 'Accept-Encoding': coding } });
    return [response.status, response.headers.get('Cache-Control'), await response.text()];
  };
  const served = ({ code }: typeof former) => [
    200,
    expect.stringContaining('immutable'),
    `${code} in brotli`,
  ];

  beforeEach(() => {
    instances = [];
    dataDir = mkdtempSync(join(tmpdir(), 'deskside-assets-'));
  });
  afterEach(async () => {
    for (const instance of instances) await instance.stop();
  });

  it('side by side: each serves the scripts of both', async () => {
    const [one, other] = [await start(former), await start(next)];
    for (const instance of [one, other])
      for (const script of [former, next]) {
        expect(await fetchScript(instance, script)).toEqual(served(script));
        expect((await fetchScript(instance, script, 'identity'))[2]).toBe(script.code);
      }
  });

  it('when nothing else in the store can be removed', async () => {
    const store = await openStore({ dataDir }, coreSchema);
    await store.schema.dropTable('codes').execute();
    await store.destroy();
    expect(await fetchScript(await start(next), next)).toEqual(served(next));
  });

  it('one after the other: scripts of the former are served for 30 days, then they are gone', async () => {
    const one = await start(former);
    await one.stop();
    instances = [];
    const other = await start(next);
    expect(await fetchScript(other, former)).toEqual(served(former));
    other.clock.offsetMs += 31 * 86_400_000;
    await other.scripts.keep();
    expect((await fetchScript(other, former)).slice(0, 2)).toEqual([404, 'no-store']);
    expect(await fetchScript(other, next)).toEqual(served(next));
  });
});

it('nothing of the store is served under a name that no build makes [browser-11]', async () => {
  for (const name of ['deferred-AbCd_-12.js', 'page.html', 'deferred-AbCd_-12.js.br']) {
    await bff.store.insertInto('scripts').values({ name, seen_at: Date.now() }).execute();
    const body = new TextEncoder().encode('stored()');
    await bff.store.insertInto('script_bodies').values({ name, coding: 'identity', body }).execute();
  }
  const statuses = async (...names: string[]) =>
    Promise.all(names.map(async (name) => (await get(`/assets/${name}`)).status));
  expect(await statuses('deferred-AbCd_-12.js', 'page.html', 'deferred-AbCd_-12.js.br')).toEqual([
    200, 404, 404,
  ]);
});

it('a 404 is not cacheable', async () => {
  for (const path of ['/assets/account-00000000.js', '/assets/..%2fmanifest.json', '/widget-9.9.9.js']) {
    const response = await get(path);
    expect([response.status, response.headers.get('Cache-Control')]).toEqual([404, 'no-store']);
  }
});

it('every answer of the API says which version gave it', async () => {
  for (const headers of [{ 'X-Deskside': '1', 'Sec-Fetch-Site': 'same-origin' }, {}])
    expect(
      (await get('/api/session', headers as Record<string, string>)).headers.get('X-Deskside-Version'),
    ).toBe('1.2.3');
});

describe('the frame', () => {
  it('runs its own script and style only, under the allowed origins only [browser-8]', async () => {
    const csp = (await get('/frame')).headers.get('Content-Security-Policy')!.split('; ');
    expect(csp).toEqual([
      "default-src 'none'",
      "script-src 'sha256-script' 'self'",
      "style-src 'sha256-style'",
      "connect-src 'self'",
      "worker-src 'self'",
      "img-src 'self' data: https://shop.test https://other.test",
      "base-uri 'none'",
      "form-action 'none'",
      'frame-ancestors https://shop.test https://other.test',
      "require-trusted-types-for 'script'",
      'trusted-types deskside',
    ]);
  });

  it('as a page of its own cannot be framed at all [browser-16]', async () => {
    expect((await get('/')).headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
  });

  it('may be shown by a page with an embedder policy, and itself loads a logo of any server', async () => {
    const policies = async (path: string) => {
      const { headers } = await get(path);
      return [headers.get('Cross-Origin-Resource-Policy'), headers.get('Cross-Origin-Embedder-Policy')];
    };
    for (const path of ['/frame', '/frame?isolated=false'])
      expect(await policies(path)).toEqual(['cross-origin', 'credentialless']);
    for (const path of ['/frame?isolated', '/frame?isolated=true'])
      expect(await policies(path)).toEqual(['cross-origin', 'require-corp']);
    expect(await policies('/')).toEqual([null, null]);
  });

  it('is kept by no shared cache, which might give its language to all', async () => {
    expect((await get('/frame')).headers.get('Cache-Control')).toMatch(/^private, max-age=\d+/);
  });

  it('sets no cookie', async () => {
    expect((await get('/frame')).headers.get('Set-Cookie')).toBeNull();
  });

  it('has the requested language, or else the best of the browser’s', async () => {
    const lang = async (path: string, accept = '') => (await get(path, { 'Accept-Language': accept })).text();
    expect(await lang('/frame?lang=de')).toBe('<html lang="de">');
    expect(await lang('/frame?lang=xx', 'fr, de-AT;q=0.8, en;q=0.5')).toBe('<html lang="de">');
    expect(await lang('/frame', 'fr')).toBe('<html lang="en">');
  });
});

it.each([
  ['deferred-AbCd_-12.js', true],
  ['app-00000000.js', true],
  ['account.pt-BR-0-_00000.js', true],
  ['deferred-short.js', false],
  ['deferred-00000000.js.br', false],
  ['deferred-00000000.html', false],
  ['../deferred-00000000.js', false],
  ['.en-00000000.js', false],
  ['', false],
])('%j as the name of a script that the build makes: %s', (name, isOne) => {
  expect(isAssetName(name)).toBe(isOne);
});
