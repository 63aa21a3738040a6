import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { Site } from '../../../../shared/contract/site.ts';
import { type Assets, assetOf, types } from './assets.ts';
import { documentsWithSite } from './documents.ts';

const html =
  '<link rel="icon" href="data:,"><title>Support</title><div id="app"><form></form></div><script></script><script type="application/json" id="sentences">{}</script>';
const asset = (text: string) => assetOf(types.html, new Map([['identity', new TextEncoder().encode(text)]]));
const brand = { site: { url: 'https://shop.test', label: 'Back' } };
const assets: Assets = {
  manifest: { version: '1', languages: [], csp: { script: '', style: '' }, playground: {} as never },
  files: new Map([
    ['frame.en.html', asset(html)],
    ['home.en.html', asset('<main>$&</main>')],
  ]),
  imports: new Map(['site', 'form', 'articles'].map((name) => [`${name}-1a2b3c4d.js`, asset('')])),
};

it('a document with what settings add has it before its first script, and fetches its script early', () => {
  let site: Site = { sentences: { replyTime: 'In 2 hours </script>$&' } };
  let elapsed = 0;
  const documentOf = documentsWithSite(assets, { siteOf: () => site, brandOf: () => brand }, () => elapsed);
  const first = documentOf('en');
  const text = new TextDecoder().decode(first.bodies.get('identity'));
  expect(text).toBe(
    '<link rel="icon" href="data:,"><link rel="modulepreload" href="./assets/site-1a2b3c4d.js">' +
      '<script type="application/json" id="site">{"sentences":{"replyTime":"In 2 hours \\u003c/script>$&"}}</script>' +
      '<script type="application/json" id="brand">{"site":{"url":"https://shop.test","label":"Back"}}</script>' +
      '<title>Support</title>' +
      '<div id="app"><form></form></div><script></script>' +
      '<script type="application/json" id="sentences">{}</script>',
  );
  expect(brotliDecompressSync(first.bodies.get('br')!).toString()).toBe(text);
  expect(gunzipSync(first.bodies.get('gzip')!).toString()).toBe(text);
  expect(documentOf('en')).toBe(first);
  site = { sentences: {} };
  elapsed = 59_999;
  expect(documentOf('en')).toBe(first);
  elapsed = 60_000;
  expect(documentOf('en').etag).not.toBe(first.etag);
});

it('the script of the operator’s form is fetched early only where there is a form', () => {
  const textOf = (site: Site) =>
    new TextDecoder().decode(
      documentsWithSite(
        assets,
        { siteOf: () => site, brandOf: () => brand },
        () => 0,
      )('en').bodies.get('identity'),
    );
  expect(textOf({ sentences: {} })).not.toContain('form-1a2b3c4d.js');
  expect(textOf({ sentences: {}, form: { version: '1', topics: [], fields: [] } })).toContain(
    '<link rel="modulepreload" href="./assets/form-1a2b3c4d.js">',
  );
});

it('a document with articles has their start view in place of the form, and fetches their script early', () => {
  const articles = { hash: 'h', top: [{ id: 'a', title: '</script>' }], sentences: {} as never };
  const documentOf = documentsWithSite(
    assets,
    { siteOf: () => ({ sentences: {}, articles }), brandOf: () => brand },
    () => 0,
  );
  const text = new TextDecoder().decode(documentOf('en').bodies.get('identity'));
  expect(text).toContain('<link rel="modulepreload" href="./assets/articles-1a2b3c4d.js"><script');
  expect(text).toContain('<div id="app"><main>$&</main></div>');
  expect(text).toContain('"title":"\\u003c/script>"');
});

it('a document names the brand, its colour and its logo, escaped, also where nothing else is set', () => {
  const logo = 'https://cdn.test/l.png?a=1&b=2';
  const documentOf = documentsWithSite(
    assets,
    { siteOf: null, brandOf: () => ({ ...brand, brand: 'A$& </title><b>', color: '#a8482a', logo }) },
    () => 0,
  );
  const first = documentOf('en');
  const text = new TextDecoder().decode(first.bodies.get('identity'));
  expect(text).toContain('<link rel="icon" href="https://cdn.test/l.png?a=1&#38;b=2">');
  expect(text).toContain('<meta name="theme-color" content="#a8482a">');
  expect(text).toContain('<title>A$&#38; &#60;/title>&#60;b></title>');
  expect(text).toContain('"brand":"A$& \\u003c/title>\\u003cb>"');
  expect(text).not.toContain('id="site"');
  expect(documentOf('en')).toBe(first);
});
