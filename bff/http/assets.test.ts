import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBff, type TestBff } from '../testing/bff.ts';
import { createLanguageChoice } from './assets.ts';

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

  it('stands forever under the name of its version, and under no other', async () => {
    expect((await get('/widget-1.2.3.js')).headers.get('Cache-Control')).toContain('immutable');
    expect((await get('/widget-9.9.9.js')).status).toBe(404);
  });

  it('is the only thing that another origin may read', async () => {
    for (const path of ['/widget.js', '/assets/account-1a2b.js'])
      expect((await get(path)).headers.get('Access-Control-Allow-Origin')).toBe('*');
    for (const path of ['/frame', '/', '/api/session'])
      expect(
        (await get(path, { Origin: 'https://shop.test' })).headers.get('Access-Control-Allow-Origin'),
      ).toBeNull();
  });

  it.each(['/manifest.json', '/frame.en.html', '/widget.js.br', '/..%2fmanifest.json', '//widget.js'])(
    'nothing else of the folder is served: %s',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );
});

it('what loader and app import later stands forever under its name, and under no other', async () => {
  const script = await get('/assets/account-1a2b.js?2');
  expect(script.headers.get('Cache-Control')).toContain('immutable');
  expect(script.headers.get('Content-Type')).toContain('javascript');
  expect(script.headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin');
  expect(await script.text()).toBe('account()');
  for (const path of ['/assets/account-0000.js', '/assets/', '/assets/..%2fmanifest.json', '/assets/%00'])
    expect((await get(path)).status).toBe(404);
});

describe('the frame', () => {
  it('runs its own script and style only, under the allowed origins only', async () => {
    const csp = (await get('/frame')).headers.get('Content-Security-Policy')!.split('; ');
    expect(csp).toEqual([
      "default-src 'none'",
      "script-src 'sha256-script' 'self'",
      "style-src 'sha256-style'",
      "connect-src 'self'",
      "worker-src 'self'",
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      'frame-ancestors https://shop.test https://other.test',
      "require-trusted-types-for 'script'",
      'trusted-types deskside',
    ]);
  });

  it('as a page of its own cannot be framed at all', async () => {
    expect((await get('/')).headers.get('Content-Security-Policy')).toContain("frame-ancestors 'none'");
  });

  it('sets no cookie', async () => {
    expect((await get('/frame')).headers.get('Set-Cookie')).toBeNull();
  });

  it('speaks the language asked for, else the best of the browser’s', async () => {
    const lang = async (path: string, accept = '') => (await get(path, { 'Accept-Language': accept })).text();
    expect(await lang('/frame?lang=de')).toBe('<html lang="de">');
    expect(await lang('/frame?lang=xx', 'fr, de-AT;q=0.8, en;q=0.5')).toBe('<html lang="de">');
    expect(await lang('/frame', 'fr')).toBe('<html lang="en">');
  });
});

describe('the best language', () => {
  const best = createLanguageChoice(['en', 'de', 'pt-BR', 'zh-Hans', 'zh-Hant', 'he', 'id', 'sv']);

  it.each([
    ['de-AT', 'de'],
    ['PT-br', 'pt-BR'],
    ['pt', 'pt-BR'],
    ['pt-PT', 'pt-BR'],
    ['pt_BR', 'pt-BR'],
    ['zh', 'zh-Hans'],
    ['zh-CN', 'zh-Hans'],
    ['zh-SG', 'zh-Hans'],
    ['zh-Hans-HK', 'zh-Hans'],
    ['zh-TW', 'zh-Hant'],
    ['zh-HK', 'zh-Hant'],
    ['zh-MO', 'zh-Hant'],
    ['zh-Hant-CN', 'zh-Hant'],
    ['iw', 'he'],
    ['in', 'id'],
    ['nb', 'en'],
    ['x', 'en'],
    ['*', 'en'],
    ['', 'en'],
  ])('for %j is %j', (wish, tag) => {
    expect(best([wish])).toBe(tag);
  });

  it('is the first that there is', () => {
    expect(best(['nb-NO', 'not a tag', 'sv-FI', 'de'])).toBe('sv');
    expect(best([])).toBe('en');
  });
});
