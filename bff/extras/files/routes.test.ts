import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startBff, type TestBff } from '../../testing/bff.ts';
import type { TestBrowser } from '../../testing/browser.ts';
import { attach, fileValues, pngOf, sample, upload } from './testing/upload.ts';

let bff: TestBff;
let browser: TestBrowser;
const start = async (values: object = {}, more: object = {}) => {
  bff = await startBff({ values: { ...fileValues, ...values }, ...more });
  browser = bff.browser();
  await browser.openTicket();
};
beforeEach(() => start());
afterEach(() => bff.stop());

/** The path of the link to a file of a message. */
async function linked(bytes: Buffer, name?: string): Promise<string> {
  const { data } = await upload(bff, browser, bytes, name === undefined ? {} : { name });
  return attach(bff, data.id, 'any-name.exe');
}
let addresses = 0;
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  bff.app.request(path, { method, headers: { 'X-Forwarded-For': `10.98.0.${addresses++}`, ...headers } });
const facts = async (answer: Response) => [
  answer.status,
  answer.headers.get('Content-Type'),
  answer.headers.get('Content-Disposition'),
];

const polyglots = {
  'a GIF that is a script': Buffer.from('GIF89a/*\x01\0\0\0\0*/=1;alert(document.cookie);', 'latin1'),
  'a PDF that is a page': Buffer.from('%PDF-1.4\n<html><script>alert(1)</script></html>\0', 'latin1'),
};
const page = Buffer.from('<!doctype html><script>alert(1)</script>');
const drawing = Buffer.from(
  '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
);

describe('the link of a file', () => {
  it('opens without a session, with the headers of a file of a stranger', async () => {
    const png = pngOf(3, 2);
    const answer = await get(await linked(png, 'Kratzer am Deckel.png'));
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      'content-disposition': `inline; filename="Kratzer am Deckel.png"; filename*=UTF-8''Kratzer%20am%20Deckel.png`,
      'content-length': String(png.length),
      'content-security-policy': expect.stringMatching(/^sandbox; default-src 'none'/),
      'content-type': 'image/png',
      'cross-origin-resource-policy': 'cross-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
    });
    expect(answer.headers.has('set-cookie')).toBe(false);
    expect((await answer.arrayBuffer()).byteLength).toBe(png.length);
  });

  it.each([
    ['a page', page, 'a.html', 'application/octet-stream', 'a.html'],
    ['a page that claims to be a picture', page, 'a.png', 'application/octet-stream', 'a.png.html'],
    ['a drawing', drawing, 'a.svg', 'application/octet-stream', 'a.svg'],
    ['a script', Buffer.from('alert(1)'), 'a.js', 'application/octet-stream', 'a.js.txt'],
    [
      'a picture that could fill the memory',
      pngOf(50_000, 50_000),
      'a.png',
      'application/octet-stream',
      'a.png',
    ],
    [
      'an archive',
      Buffer.from('PK\x05\x06' + '\0'.repeat(18), 'latin1'),
      'a.zip',
      'application/octet-stream',
      'a.zip',
    ],
  ])('to %s is saved and never shown', async (_, bytes, name, type, saved) => {
    const answer = await get(await linked(bytes, name));
    expect(await facts(answer)).toEqual([
      200,
      type,
      `attachment; filename="${saved}"; filename*=UTF-8''${saved}`,
    ]);
    expect(answer.headers.get('Content-Security-Policy')).toMatch(/^sandbox;/);
  });

  it.each([
    ['a GIF that is a script', 'image/gif'],
    ['a PDF that is a page', 'application/pdf'],
  ] as const)('to %s names the type of its content, which no browser guesses again', async (name, type) => {
    const answer = await get(await linked(polyglots[name], 'x.html'));
    expect([answer.headers.get('Content-Type'), answer.headers.get('X-Content-Type-Options')]).toEqual([
      type,
      'nosniff',
    ]);
    expect(answer.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
    expect(answer.headers.get('Content-Security-Policy')).not.toContain('script');
  });

  it('is not found before its message is sent, once it is deleted, and for another token', async () => {
    const { data } = await upload(bff, browser, pngOf(1, 1));
    const path = await attach(bff, data.id);
    expect((await get(path)).status).toBe(200);
    const other = path.replace(/\/f\/(.)/, (_, first) => `/f/${first === 'A' ? 'B' : 'A'}`);
    expect((await get(other)).status).toBe(404);
    expect((await get('/f/short/x')).status).toBe(404);
    await bff.store.updateTable('files').set({ operation_id: null }).execute();
    expect((await get(path)).status).toBe(404);
  });

  it('that was guessed wrong too often from one address is not looked up any more', async () => {
    const path = await linked(pngOf(1, 1));
    const from = { 'X-Forwarded-For': '10.7.7.7' };
    for (let n = 0; n < 60; n += 1) await get(`/f/${'A'.repeat(22)}/x`, from);
    expect((await get(`/f/${'A'.repeat(22)}/x`, from)).status).toBe(429);
    expect((await get(path, from)).status).toBe(200);
  });

  it('whose bytes are lost is not found, and the operator is told', async () => {
    const path = await linked(pngOf(1, 1));
    rmSync(join(bff.config.dataDir, 'files'), { recursive: true });
    expect((await get(path)).status).toBe(404);
    expect(bff.logLines.some((line) => line.includes('file_missing'))).toBe(true);
  });

  it('is not in the log, nor is the name of the file', async () => {
    const path = await linked(pngOf(1, 1), 'very-private.png');
    await get(path);
    const text = bff.logLines.join('\n');
    expect(text).toContain('"/f/:token/:name"');
    expect(text).not.toContain(path.split('/')[2]);
    expect(text).not.toContain('very-private');
  });

  it('is counted by its answer', async () => {
    const path = await linked(pngOf(1, 1));
    const tag = (await get(path)).headers.get('ETag')!;
    await get(path, { 'If-None-Match': tag });
    await get(path, { Range: 'bytes=5-' });
    await get(path, {}, 'HEAD');
    await get(path);
    const counts = await bff.metrics.registry.metrics();
    expect(counts).toContain('deskside_file_links_total{answer="opened"} 3');
    expect(counts).toContain('deskside_file_links_total{answer="unchanged"} 1');
  });
});

describe('parts of a file', () => {
  const text = Buffer.from('0123456789');
  it.each([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=5-99', 206, '56789', 'bytes 5-9/10'],
    ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=10-', 416, '', 'bytes */10'],
    ['bytes=4-2', 200, '0123456789', null],
    ['bytes=0-1,4-5', 200, '0123456789', null],
    ['lines=1-2', 200, '0123456789', null],
  ])('for %s are answered with %i', async (range, status, body, stated) => {
    const answer = await get(await linked(text, 'a.txt'), { Range: range });
    expect([answer.status, await answer.text(), answer.headers.get('Content-Range')]).toEqual([
      status,
      body,
      stated,
    ]);
  });

  it('are answered if the file is the one that the client has, and else the whole', async () => {
    const path = await linked(text, 'a.txt');
    const tag = (await get(path)).headers.get('ETag')!;
    expect((await get(path, { Range: 'bytes=1-1', 'If-Range': tag })).status).toBe(206);
    expect((await get(path, { Range: 'bytes=1-1', 'If-Range': '"other"' })).status).toBe(200);
  });

  it('are none for a client that has the whole, and for one that asks for the headers', async () => {
    const path = await linked(text, 'a.txt');
    const head = await get(path, {}, 'HEAD');
    expect([head.status, head.headers.get('Content-Length'), await head.text()]).toEqual([200, '10', '']);
    const same = await get(path, { 'If-None-Match': `"x", ${head.headers.get('ETag')}` });
    expect([same.status, await same.text()]).toEqual([304, '']);
  });
});

it('with FILES_HOST links open there and only there, and nothing else does', async () => {
  await bff.stop();
  await start({ FILES_HOST: 'https://files.test' });
  const path = await linked(sample('samplefilehub.heif'));
  const there = { Host: 'files.test' };
  expect((await get(path, there)).status).toBe(200);
  expect((await get(path, { Host: 'support.test' })).status).toBe(404);
  expect((await get('/widget.js', there)).status).toBe(404);
  expect(
    (await get('/api/session', { ...there, 'Sec-Fetch-Site': 'same-origin', 'X-Deskside': '1' })).status,
  ).toBe(404);
  expect((await get('/widget.js', { Host: 'support.test' })).status).toBe(200);
});

it('an archive of 42 kB that would open to petabytes is taken as it is, and not opened', async () => {
  // An entry that says it has 4 GB, whose 30 bytes are no compressed data.
  const header = Buffer.alloc(30);
  header.write('PK\x03\x04', 'latin1');
  header.writeUInt16LE(8, 8);
  header.writeUInt32LE(42_000, 18);
  header.writeUInt32LE(0xffffffff, 22);
  header.writeUInt16LE(19, 26);
  const bomb = Buffer.concat([header, Buffer.from('[Content_Types].xml'), Buffer.alloc(42_000, 0x41)]);
  const { data } = await upload(bff, browser, bomb, { name: 'bomb.zip' });
  expect(data).toMatchObject({ type: 'application/zip', size: bomb.length });
  expect(readFileSync(join(bff.config.dataDir, 'files', data.id.slice(-2), data.id))).toEqual(bomb);
});
