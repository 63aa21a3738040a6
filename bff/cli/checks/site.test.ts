import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseConfig } from '../../config.ts';
import { ok, runChecks } from '../../core/operator/check.ts';
import { serveHandler, stopServing } from '../../testing/operator/checks.ts';
import { siteChecks } from './site.ts';

let served: { status: number; headers: Record<string, string>; html: string };
let origin: string;
const publicUrl = 'https://support.example.com';
const tag = `<script async src="${publicUrl}/widget.js"></script>`;

beforeEach(async () => {
  served = { status: 200, headers: {}, html: `<!doctype html><title>Shop</title>${tag}` };
  origin = await serveHandler(({ url }, outgoing) => {
    const { status, headers, html } =
      url === '/moved' ? { status: 302, headers: { location: '/' }, html: '' } : served;
    outgoing.writeHead(status, { 'content-type': 'text/html', ...headers }).end(html);
  });
});
afterEach(stopServing);

async function findings(site: string, more: Record<string, string> = {}) {
  const env = {
    SUPPORT_API_URL: 'https://tickets.test',
    SUPPORT_API_KEY: 'key',
    ALLOWED_ORIGINS: origin,
    PUBLIC_URL: publicUrl,
    ...more,
  };
  const build = { version: '', widgetDir: '' };
  const config = () => parseConfig(env);
  const context = { env, config, now: Date.now, patienceMs: 60_000, mailTo: null, site, build };
  const configuration = { name: 'configuration', needs: [], fix: '', run: () => ok('valid') };
  const results = await runChecks([configuration, ...siteChecks(context)]);
  return results
    .filter(({ level }) => level !== 'ok')
    .map(({ name, level, says }) => `${level} ${name}: ${says}`);
}

it('a page with the tag is all right, also behind a redirect', async () => {
  expect(await findings(origin)).toEqual([]);
  expect(await findings(`${origin}/moved`)).toEqual([]);
});

it.each([
  [
    'held back for consent',
    `<script type="text/plain" data-cookieconsent="x" src="${publicUrl}/widget.js"></script>`,
    'type="text/plain"',
  ],
  [
    'held back by an optimizer',
    `<script type="litespeed/javascript" data-src="${publicUrl}/widget.js"></script>`,
    'held back',
  ],
  ['missing', '<script src="/app.js"></script>', 'a script of the site may add it'],
  [
    'added by a tag manager',
    '<script async src="https://www.googletagmanager.com/gtm.js?id=1"></script>',
    'a tag manager',
  ],
  ['commented out', `<!-- ${tag} -->`, 'not in the HTML'],
  ['of another host', '<script src="https://support.example.org/widget.js"></script>', 'not in the HTML'],
  ['there twice', tag + tag, '2 tags'],
])('a tag that is %s is a warning', async (_, html, words) => {
  served.html = html;
  expect(await findings(origin)).toEqual([expect.stringMatching(/^warn site-tag/)]);
  expect((await findings(origin))[0]).toContain(words);
});

it.each([
  ['of a header', { 'content-security-policy': "default-src 'self', script-src *" }, ''],
  ['of the HTML', {}, `<meta http-equiv="Content-Security-Policy" content="script-src *; frame-src 'self'">`],
])('a policy %s that refuses the widget is named', async (_, headers, meta) => {
  served = { status: 200, headers: { ...headers }, html: meta + tag };
  expect(await findings(origin)).toEqual([
    expect.stringMatching(/^fail site-policy: .* refuses the (script|frame)/),
  ]);
});

it('a policy with the nonce of the tag lets it work', async () => {
  const policy = `script-src 'nonce-a1' 'strict-dynamic'; frame-src ${publicUrl}`;
  served = {
    ...served,
    headers: { 'content-security-policy': policy },
    html: tag.replace('async', 'nonce="a1"'),
  };
  expect(await findings(origin)).toEqual([]);
});

it('an origin that may not show the widget fails', async () => {
  expect(await findings(origin, { ALLOWED_ORIGINS: 'https://shop.test' })).toEqual([
    expect.stringMatching(/^fail site-origin/),
  ]);
});

it('a page that does not answer, or is none, fails with the reason', async () => {
  expect((await findings('http://127.0.0.1:1'))[0]).toMatch(/^fail site-page: no answer: nothing listens/);
  expect((await findings('www.example.com'))[0]).toContain('--site takes an http or https address');
  served.status = 404;
  expect((await findings(origin))[0]).toContain('answers 404');
});

it('an isolated page fails where the frame comes without its headers', async () => {
  served.headers = { 'cross-origin-embedder-policy': 'require-corp' };
  served.html = `<script async src="${origin}/widget.js"></script>`;
  expect(await findings(origin, { PUBLIC_URL: origin })).toEqual([
    expect.stringContaining('without cross-origin-resource-policy'),
  ]);
});

it('another widget in the page is a warning', async () => {
  served.html = `${tag}<script src="https://client.crisp.chat/l.js"></script>`;
  expect(await findings(origin)).toEqual([expect.stringMatching(/^warn site-neighbours: .*crisp\.chat/)]);
});
